/** The members that this service uses; the library's own types would add those of browsers. */
declare module "pdfkit" {
  /** An object of the file; `end` writes it. */
  export type Reference = { data: Record<string, unknown>; end(content?: string | Uint8Array): void };
  /** In thousandths of the font's size. */
  export type Position = { xAdvance: number; advanceWidth: number; xOffset: number; yOffset: number };
  export type Font = {
    id: string;
    ascender: number;
    font: { hasGlyphForCodePoint(codePoint: number): boolean };
    ref(): Reference;
    /** The glyphs as hexadecimal digits, from left to right. Passing `features`, even an empty list, keeps words whole. */
    encode(text: string, features?: string[]): [glyphs: string[], positions: Position[]];
  };
  type Page = {
    fonts: Record<string, Reference>;
    xobjects: Record<string, Reference>;
    annotations: unknown[];
  };
  type Options = {
    /** Null: fonts are registered later. */
    font: null;
    size: "A4";
    layout: "landscape";
    margin: number;
    autoFirstPage: false;
    pdfVersion: "1.5";
    lang: string;
    displayTitle: true;
    info: { Title: string };
  };
  export default class PDFDocument {
    constructor(options: Options);
    page: Page;
    _font: Font;
    /** Gets each written piece of the file, and null after the last one. */
    push(piece: Uint8Array | null): boolean;
    registerFont(name: string, bytes: Uint8Array): this;
    font(name: string): this;
    /** Writes the page before. */
    addPage(): this;
    addContent(operators: string): this;
    ref(data: Record<string, unknown>): Reference;
    goTo(x: number, y: number, width: number, height: number, name: string): this;
    addNamedDestination(name: string, kind: "XYZ", x: number, y: number, zoom: null): void;
    outline: { addItem(title: string): unknown };
    image(jpeg: Uint8Array, x: number, y: number, options: { fit: [number, number] }): this;
    end(): void;
  }
}

declare module "linebreak" {
  /** Finds possible and required line breaks. UAX 14. */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}

declare module "bidi-js" {
  type Levels = { levels: Uint8Array };
  /** The bidirectional algorithm, UAX 9. */
  export default function bidiFactory(): {
    getEmbeddingLevels(text: string): Levels;
    getMirroredCharacter(character: string): string | null;
  };
}
