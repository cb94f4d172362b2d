import { Buffer } from "node:buffer";
import PDFDocument, { type Font, type Reference } from "pdfkit";
import type { WorkBudget } from "#shared/background/work-budget.ts";
import type { FontReader } from "./fonts.ts";
import { type SetLine, type Type, Typesetter } from "./typesetter.ts";

/** A4, landscape. Lengths are in points from the upper left corner. */
export const A4_LANDSCAPE = { width: 841.89, height: 595.28, margin: 30 };
export const RIGHT = A4_LANDSCAPE.width - A4_LANDSCAPE.margin;
/** The page numbers are below this edge. */
export const BOTTOM = A4_LANDSCAPE.height - A4_LANDSCAPE.margin - 14;

/** An element of fixed height: its texts, and how it is drawn from its upper edge. */
export type Drawing = { height: number; texts: string[]; draw(paper: Paper, y: number): void };

export type Place = { lat: number; lng: number };
/** A number that is written after its page: an object that the page refers to. */
type LateNumber = { form: Reference; text: string; type: Type };

/** Collects the library's output until `takeBytes`. */
class PieceDocument extends PDFDocument {
  // Declared without values: they would be assigned after the library's constructor, which already writes.
  declare bytes: number;
  declare pieces: Uint8Array[];

  override push(piece: Uint8Array | null): boolean {
    if (piece === null) return false;
    this.pieces ??= [];
    this.pieces.push(piece);
    this.bytes = (this.bytes ?? 0) + piece.length;
    return true;
  }

  takeBytes(): Uint8Array {
    this.bytes = 0;
    return Buffer.concat(this.pieces.splice(0));
  }
}

/** Writes pages as they are finished, so that only one is in memory. */
export class Paper {
  readonly setter: Typesetter;
  /** The upper edge of the next element. */
  y = 0;
  page = 0;
  readonly #pdf: PieceDocument;
  readonly #total: LateNumber;
  readonly #later: LateNumber[] = [];
  #text = "";
  #shapes = "";
  /** Font, size and rise that were set last on this page. */
  #font = "";
  #rise = 0;

  static async of(
    { title, language }: { title: string; language: string },
    read: FontReader,
    budget: WorkBudget,
  ): Promise<Paper> {
    const pdf = new PieceDocument({
      ...{
        font: null,
        size: "A4",
        layout: "landscape",
        margin: A4_LANDSCAPE.margin,
        autoFirstPage: false,
        pdfVersion: "1.5",
      },
      ...{ lang: language, displayTitle: true, info: { Title: title } },
    });
    return new Paper(pdf, await Typesetter.of(pdf, read, budget));
  }

  private constructor(pdf: PieceDocument, setter: Typesetter) {
    this.#pdf = pdf;
    this.setter = setter;
    this.#total = this.#newLater(NUMBER);
  }

  newPage() {
    this.#finishPage();
    this.#pdf.addPage();
    this.page++;
    this.y = A4_LANDSCAPE.margin;
    const number = this.setter.lineOf(`${this.page}`, false);
    const x = RIGHT - TOTAL_WIDTH;
    this.draw(number, { x: x - (number.width * NUMBER.size) / 1000, y: FOOT }, NUMBER);
    this.#place(this.#total, "Total", { x, y: FOOT });
  }

  /** `y` is the upper edge of the line. */
  draw({ pieces }: SetLine, { x, y }: { x: number; y: number }, { size }: Type) {
    this.#text += `1 0 0 1 ${roundHundredths(x)} ${roundHundredths(A4_LANDSCAPE.height - y - size)} Tm `;
    for (const { font, operand, rise } of pieces) {
      this.#use(font);
      const set = `/${font.id} ${size} Tf `;
      if (this.#font !== set) this.#text += set;
      if (this.#rise !== rise) this.#text += `${roundHundredths((rise * size) / 1000)} Ts `;
      this.#text += `${operand} TJ\n`;
      this.#font = set;
      this.#rise = rise;
    }
  }

  /** Draws a horizontal line. */
  rule(left: number, right: number, y: number, gray = 0.75) {
    this.stroke(
      [
        [left, y],
        [right, y],
      ],
      { width: 0.5, color: [gray, gray, gray] },
    );
  }

  stroke(points: [x: number, y: number][], { width, color }: { width: number; color: Color }) {
    const path = points.map(([x, y], index) => `${pair(x, y)} ${index === 0 ? "m" : "l"}`);
    this.#shapes += `${color.join(" ")} RG ${width} w ${path.join(" ")} S\n`;
  }

  fill({ x, y, width, height }: Box, color: Color) {
    this.#shapes += `${color.join(" ")} rg ${pair(x, y + height)} ${roundHundredths(width)} ${roundHundredths(height)} re f\n`;
  }

  image(jpeg: Uint8Array, { x, y, width, height }: Box) {
    this.#pdf.image(jpeg, x, y, { fit: [width, height] });
  }

  link({ x, y, width, height }: Box, address: string) {
    const bottom = A4_LANDSCAPE.height - y - height;
    this.#pdf.page.annotations.push({
      ...{ Type: "Annot", Subtype: "Link", Border: [0, 0, 0], F: 4 },
      Rect: [x, bottom, x + width, bottom + height],
      // The library writes a String object as a text, and a plain string as a name.
      A: { S: "URI", URI: new String(address) },
    });
  }

  /** Makes the top of this page a target of `leadTo`, and adds it to the outline. */
  mark(name: string, title: string) {
    this.#pdf.addNamedDestination(name, "XYZ", 0, 0, null);
    this.#pdf.outline.addItem(title);
  }

  leadTo(name: string, { x, y, width, height }: Box) {
    this.#pdf.goTo(x, y, width, height, name);
  }

  /** Reserves space for a number that is not known yet. */
  reserveNumber(at: { x: number; y: number }, type: Type): { write(text: string): void } {
    const later = this.#newLater(type);
    this.#later.push(later);
    this.#place(later, `N${this.#later.length}`, at);
    return {
      write(text) {
        later.text = text;
      },
    };
  }

  /** The bytes written so far, unless they are few. */
  *takeWritten(): Generator<Uint8Array> {
    if (this.#pdf.bytes >= MIN_PIECE_BYTES) yield this.#pdf.takeBytes();
  }

  *end(): Generator<Uint8Array> {
    this.#finishPage();
    this.#total.text = ` / ${this.page}`;
    for (const later of [this.#total, ...this.#later]) this.#writeLater(later);
    this.#pdf.end();
    yield this.#pdf.takeBytes();
  }

  #use(font: Font) {
    this.#pdf.page.fonts[font.id] ??= font.ref();
  }

  #finishPage() {
    if (this.page === 0) return;
    // The library's vertical axis points down, and its own drawings come first.
    this.#pdf.addContent(`q 1 0 0 -1 0 ${A4_LANDSCAPE.height} cm\n${this.#shapes}BT\n${this.#text}ET Q`);
    this.#text = "";
    this.#shapes = "";
    this.#font = "";
    this.#rise = 0;
  }

  #newLater(type: Type): LateNumber {
    const form = this.#pdf.ref({ Type: "XObject", Subtype: "Form", BBox: [0, -2, 60, type.size] });
    return { form, text: "", type };
  }

  #place({ form, type }: LateNumber, name: string, { x, y }: { x: number; y: number }) {
    this.#pdf.page.xobjects[name] = form;
    this.#shapes += `q 1 0 0 1 ${roundHundredths(x)} ${roundHundredths(A4_LANDSCAPE.height - y - type.size)} cm /${name} Do Q\n`;
  }

  #writeLater({ form, text, type: { size, bold } }: LateNumber) {
    const { pieces } = this.setter.lineOf(text, bold);
    const fonts = Object.fromEntries(pieces.map(({ font }) => [font.id, font.ref()]));
    form.data.Resources = { Font: fonts };
    form.end(`BT ${pieces.map(({ font, operand }) => `/${font.id} ${size} Tf ${operand} TJ`).join(" ")} ET`);
  }
}

export type Box = { x: number; y: number; width: number; height: number };
/** Red, green and blue, from 0 to 1. */
export type Color = [number, number, number];

function pair(x: number, y: number) {
  return `${roundHundredths(x)} ${roundHundredths(A4_LANDSCAPE.height - y)}`;
}

function roundHundredths(value: number) {
  return Math.round(value * 100) / 100;
}

const NUMBER: Type = { size: 8, bold: false };
const FOOT = A4_LANDSCAPE.height - A4_LANDSCAPE.margin;
/** Width of ` / 1234`. */
const TOTAL_WIDTH = 30;
/** Fewer bytes are not handed over. */
const MIN_PIECE_BYTES = 65_536;
