import LineBreaker from "linebreak";
import type PDFDocument from "pdfkit";
import type { Font, Position } from "pdfkit";
import type { WorkBudget } from "#shared/background/work-budget.ts";
import { isFromRight, type TextRun, toTextRuns } from "./bidi.ts";
import { type FontReader, isPlain, LATIN, type Script, scriptOf, scriptsIn } from "./fonts.ts";

/** Glyphs of one font at one height, as the operand of `TJ`. Sizes are in thousandths of the font's size. */
export type Piece = { font: Font; operand: string; width: number; rise: number };
/** The pieces of a line, from left to right. */
export type SetLine = { pieces: Piece[]; width: number };
export type Type = { size: number; bold: boolean };

type Face = { font: Font; glyphs: Map<string, { hex: string; width: number }> };

/**
 * Converts text to glyphs, and counts the steps of it. Plain text, which is most of it, is converted by a table of
 * characters.
 */
export class Typesetter {
  readonly #pdf: PDFDocument;
  readonly #read: FontReader;
  readonly #budget: WorkBudget;
  #unspentSteps = 0;
  readonly #faces = new Map<string, Face>();

  /** Supports Latin, Greek and Cyrillic; `prepare` adds the fonts of other scripts. */
  static async of(pdf: PDFDocument, read: FontReader, budget: WorkBudget): Promise<Typesetter> {
    const setter = new Typesetter(pdf, read, budget);
    await setter.#add(LATIN);
    return setter;
  }

  private constructor(pdf: PDFDocument, read: FontReader, budget: WorkBudget) {
    this.#pdf = pdf;
    this.#read = read;
    this.#budget = budget;
  }

  /** Spends the steps since the last time; a pause to await at the end of a slice. */
  spend(): Promise<void> | undefined {
    const steps = this.#unspentSteps;
    this.#unspentSteps = 0;
    return this.#budget.spend(steps);
  }

  /** Loads the fonts that the texts need; call it before they are set. */
  async prepare(texts: Iterable<string>): Promise<void> {
    const scripts = new Set<Script>();
    for (const text of texts) {
      for (const script of scriptsIn(text)) scripts.add(script);
      this.#unspentSteps += STEPS_PER_READ_TEXT;
      const pause = this.spend();
      if (pause) await pause;
    }
    for (const script of scripts) await this.#add(script);
  }

  /** Breaks the text at line breaks, and where it exceeds the width in points. Works in slices. */
  async setLines(text: string, width: number, type: Type): Promise<SetLine[]> {
    const setting = this.#setLines(text, width, type);
    for (;;) {
      const { done, value } = setting.next();
      if (done) return value;
      const pause = this.spend();
      if (pause) await pause;
    }
  }

  /** Like `setLines`, at once, for short texts. */
  linesOf(text: string, width: number, type: Type): SetLine[] {
    const setting = this.#setLines(text, width, type);
    for (;;) {
      const { done, value } = setting.next();
      if (done) return value;
    }
  }

  /** The text as one line, however long. */
  lineOf(text: string, bold: boolean): SetLine {
    const shown = text.replace(INVISIBLE, " ");
    this.#unspentSteps += STEPS_PER_LINE + STEPS_PER_CHARACTER * text.length;
    const pieces = isPlain(shown) ? [this.#plainPiece(shown, bold)] : this.#mixedPieces(shown.normalize("NFC"), bold);
    return { pieces, width: pieces.reduce((sum, piece) => sum + piece.width, 0) };
  }

  /** Yields where it may pause. */
  *#setLines(text: string, width: number, { size, bold }: Type): Generator<undefined, SetLine[]> {
    const most = (width * 1000) / size;
    const lines: SetLine[] = [];
    for (const part of text.split(BREAK)) {
      const whole = this.lineOf(part, bold);
      yield;
      if (whole.width <= most) lines.push(whole);
      else for (const line of yield* this.#breakLines(part, most, bold)) lines.push(line);
    }
    return lines;
  }

  *#breakLines(text: string, most: number, bold: boolean): Generator<undefined, SetLine[]> {
    const lines: SetLine[] = [];
    let line = "";
    const add = (part: string) => {
      if (line === "" || this.lineOf((line + part).trimEnd(), bold).width <= most) line += part;
      else {
        lines.push(this.lineOf(line.trimEnd(), bold));
        line = part;
      }
    };
    const breaker = new LineBreaker(text);
    let start = 0;
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
      const part = text.slice(start, next.position);
      start = next.position;
      // A word that exceeds the line is broken anywhere.
      const parts = this.lineOf(part.trimEnd(), bold).width <= most ? [part] : [...part];
      for (const one of parts) {
        add(one);
        yield;
      }
    }
    return line === "" ? lines : [...lines, this.lineOf(line.trimEnd(), bold)];
  }

  #plainPiece(text: string, bold: boolean): Piece {
    const face = this.#faceOf(LATIN, bold);
    let [hexes, width] = ["", 0];
    for (const character of text) {
      const glyph = glyphOf(face, character);
      hexes += glyph.hex;
      width += glyph.width;
    }
    return { font: face.font, operand: `[<${hexes}>]`, width, rise: 0 };
  }

  #mixedPieces(text: string, bold: boolean): Piece[] {
    const shown = [...text].map((character) => this.#replaceMissing(character, bold)).join("");
    return toTextRuns(shown).flatMap((run) => {
      this.#unspentSteps += STEPS_PER_RUN + STEPS_PER_MIXED_CHARACTER * run.text.length;
      const { font } = this.#faceOf(run.script, bold);
      const [glyphs, positions] = encodeRun(run, font);
      return toPieces(glyphs, positions, font);
    });
  }

  /** Replaces a character that no font has by a sign, and removes combining marks that no font has. */
  #replaceMissing(character: string, bold: boolean): string {
    const { font } = this.#faceOf(scriptOf(character), bold).font;
    if (font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) return character;
    return ABOVE.test(character) ? "" : UNKNOWN;
  }

  #faceOf({ name }: Script, bold: boolean): Face {
    const face = this.#faces.get(`${name}${bold ? BOLD : ""}`);
    if (!face) throw new Error(`a text of ${name} was not prepared`);
    return face;
  }

  async #add({ name, files: [regular, bold] }: Script) {
    if (this.#faces.has(name)) return;
    const face = await this.#openFace(regular);
    this.#faces.set(`${name}${BOLD}`, bold === regular ? face : await this.#openFace(bold));
    this.#faces.set(name, face);
  }

  async #openFace(file: string): Promise<Face> {
    this.#pdf.registerFont(file, await this.#read(file));
    return { font: this.#pdf.font(file)._font, glyphs: new Map() };
  }
}

function glyphOf({ font, glyphs }: Face, character: string) {
  let glyph = glyphs.get(character);
  if (!glyph) {
    const [hexes, positions] = font.encode(character, []);
    glyph = { hex: hexes.join(""), width: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) };
    glyphs.set(character, glyph);
  }
  return glyph;
}

/** The library reverses text in right-to-left scripts only, not the signs between such text. */
function encodeRun({ text, level, script }: TextRun, font: Font): [string[], Position[]] {
  if (isFromRight(level) === script.isRightToLeft) return font.encode(text, []);
  const characters = isFromRight(level) ? [...text].reverse() : [...text];
  const parts = characters.map((character) => font.encode(character, []));
  return [parts.flatMap(([glyphs]) => glyphs), parts.flatMap(([, positions]) => positions)];
}

/** Positions glyphs that are shifted against their widths, such as combining marks. PDF 32000-1, 9.4.3. */
function toPieces(glyphs: string[], positions: Position[], font: Font): Piece[] {
  const pieces: Piece[] = [];
  for (const [index, { xAdvance, advanceWidth, xOffset, yOffset }] of positions.entries()) {
    let last = pieces.at(-1);
    if (last?.rise !== yOffset) {
      last = { font, operand: "", width: 0, rise: yOffset };
      pieces.push(last);
    }
    const after = xOffset + advanceWidth - xAdvance;
    last.operand += `${xOffset === 0 ? "" : roundHundredths(-xOffset)}<${glyphs[index]}>${after === 0 ? "" : roundHundredths(after)}`;
    last.width += xAdvance;
  }
  return pieces.map((piece) => ({ ...piece, operand: `[${piece.operand}]` }));
}

function roundHundredths(value: number) {
  return Math.round(value * 100) / 100;
}

/** Work of a text in steps of a `WorkBudget`, some nanoseconds each: reading, setting and drawing it. */
const STEPS_PER_READ_TEXT = 200;
const STEPS_PER_LINE = 600;
const STEPS_PER_CHARACTER = 5;
/** The library lays out letters of other scripts by rules of their font, which takes long. */
const STEPS_PER_RUN = 3000;
const STEPS_PER_MIXED_CHARACTER = 300;
const UNKNOWN = "\ufffd";
const ABOVE = /\p{M}/u;
const BOLD = ", bold";
const BREAK = /\r\n|[\n\r\u2028\u2029]/;
// Characters without a glyph: controls and direction marks. Letters have their direction themselves.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be left out
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
