import chardet from "chardet";
import { ApiError } from "#shared/error/api-error.ts";

/** Decodes a text file of unknown encoding; 234 when it is not text. */
export function decodeTextFile(bytes: Uint8Array): string {
  const text = decodeAs(bytes);
  if (BINARY.test(text)) throw new ApiError(234);
  return text;
}

function decodeAs(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return new TextDecoder(detectEncoding(bytes)).decode(bytes);
  }
}

/** The most likely code page of a Windows program. */
function detectEncoding(bytes: Uint8Array): string {
  const head = bytes.subarray(0, SAMPLE_BYTES);
  const guesses = chardet.analyse(head).map(({ name }) => name.toLowerCase());
  // Statistics say nothing about one or two words.
  return guesses.find((name) => PAGES.includes(name)) ?? (hasCyrillicWords(head) ? "windows-1251" : "windows-1252");
}

/**
 * Western words mix marked with plain letters, Cyrillic words have no plain ones: true when more words are Cyrillic.
 */
function hasCyrillicWords(bytes: Uint8Array): boolean {
  let balance = 0;
  let [plain, marked] = [0, 0];
  for (let place = 0; place <= bytes.length; place++) {
    const byte = bytes[place] ?? 0;
    const lower = byte | 0x20;
    if (byte >= 0xc0 || CYRILLIC_LETTERS.has(byte)) marked++;
    else if (lower >= 0x61 && lower <= 0x7a) plain++;
    else {
      if (marked > 0 && plain > 0) balance--;
      // A single marked letter is à in Western texts or я in Russian ones.
      else if (marked > 1) balance++;
      [plain, marked] = [0, 0];
    }
  }
  return balance > 0;
}

/** Letters of windows-1251 below the alphabet: Ё, ё, Є, є, Ї, ї, І, і, Ґ, ґ, Ў, ў. */
const CYRILLIC_LETTERS = new Set([0xa8, 0xb8, 0xaa, 0xba, 0xaf, 0xbf, 0xb2, 0xb3, 0xa5, 0xb4, 0xa1, 0xa2]);

const PAGES = ["windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254"];
// biome-ignore lint/suspicious/noControlCharactersInRegex: what no text holds
const BINARY = /[\0-\x08\x0e-\x1a]/;
const SAMPLE_BYTES = 64 * 1024;
