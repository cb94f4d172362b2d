import type { FontFiles } from "#shared/contract/gateway.ts";

/** Reads the file of a font. */
export type FontReader = (file: string) => Promise<Uint8Array>;

/** The characters of one font, and its files; a font without a bold face names the regular one twice. */
export type Script = { name: string; files: [regular: string, bold: string]; isRightToLeft: boolean };

export const LATIN: Script = {
  name: "latin",
  files: ["NotoSans-Regular.ttf", "NotoSans-Bold.ttf"],
  isRightToLeft: false,
};

/** The scripts in a text that need fonts of their own; Latin, Greek and Cyrillic share one. */
export function scriptsIn(text: string): Script[] {
  return isPlain(text) ? [] : OTHERS.flatMap(([script, characters]) => (characters.test(text) ? [script] : []));
}

export function scriptOf(character: string): Script {
  return OTHERS.find(([, characters]) => characters.test(character))?.[0] ?? LATIN;
}

/** Whether each character has one glyph, from left to right, in the Latin font. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** Fetches the file once per isolate, when the first document needs it. */
export function readFont(file: string, fonts: FontFiles): Promise<Uint8Array> {
  let font = FONTS.get(file);
  if (!font) {
    font = fetchFont(file, fonts).catch((thrown) => {
      FONTS.delete(file); // the next document tries again
      throw thrown;
    });
    FONTS.set(file, font);
  }
  return font;
}

async function fetchFont(file: string, fonts: FontFiles) {
  const content = await fonts.openFont(file);
  if (!content) throw new Error(`The gateway has no font ${file}.`);
  return new Uint8Array(await new Response(content).arrayBuffer());
}

const FONTS = new Map<string, Promise<Uint8Array>>();

// Letters of Latin, Greek and Cyrillic, and signs: only composed characters, no combining or right-to-left ones.
const PLAIN =
  /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u218f]*$/;
const OTHERS: [Script, RegExp][] = [
  [
    { name: "arabic", files: ["NotoNaskhArabic-Regular.ttf", "NotoNaskhArabic-Bold.ttf"], isRightToLeft: true },
    /[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/,
  ],
  [
    { name: "hebrew", files: ["NotoSansHebrew-Regular.ttf", "NotoSansHebrew-Bold.ttf"], isRightToLeft: true },
    /[\u0591-\u05f4\ufb1d-\ufb4f]/,
  ],
  [
    { name: "hangul", files: ["NotoSansKR-Regular.otf", "NotoSansKR-Regular.otf"], isRightToLeft: false },
    /[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]/,
  ],
  [
    { name: "han", files: ["NotoSansHans-Regular.otf", "NotoSansHans-Regular.otf"], isRightToLeft: false },
    /[\u2e80-\u312f\u3190-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{323af}]/u,
  ],
];
