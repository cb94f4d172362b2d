import { ApiError } from "#shared/error/api-error.ts";

/** A record of an .xls. `parts`: its own data, and that of the CONTINUE records behind it. */
export type SheetRecord = { type: number; data: DataView; parts: DataView[] };

/** The records of the stream from an offset; 234 for one that would end behind the stream. */
export function* readRecords(stream: Uint8Array, from: number): Generator<SheetRecord> {
  let current: SheetRecord | undefined;
  for (const { type, data } of readRawRecords(stream, from)) {
    if (type === CONTINUED) {
      current?.parts.push(data);
      continue;
    }
    if (current) yield current;
    current = { type, data, parts: [data] };
  }
  if (current) yield current;
}

function* readRawRecords(stream: Uint8Array, from: number): Generator<Omit<SheetRecord, "parts">> {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  for (let at = from; at + 4 <= view.byteLength; ) {
    const [type, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (at + 4 + length > view.byteLength) throw new ApiError(234);
    yield { type, data: new DataView(stream.buffer, stream.byteOffset + at + 4, length) };
    at += 4 + length;
  }
}

/** Reads a record across its continuations. Throws 234 behind the last byte. */
export class RecordReader {
  readonly #parts: DataView[];
  #part = 0;
  #at = 0;

  constructor(parts: DataView[], from = 0) {
    this.#parts = parts;
    this.#at = from;
  }

  get isAtEnd() {
    return this.#remainingBytes === 0 && this.#part + 1 === this.#parts.length;
  }

  readByte(): number {
    if (this.#remainingBytes === 0) this.#next();
    const value = this.#current.getUint8(this.#at);
    this.#at += 1;
    return value;
  }

  readNumber16(): number {
    return this.readByte() + this.readByte() * 2 ** 8;
  }

  readNumber32(): number {
    return this.readNumber16() + this.readNumber16() * 2 ** 16;
  }

  skip(count: number) {
    for (let left = count; left > 0; ) {
      if (this.#remainingBytes === 0) this.#next();
      const taken = Math.min(left, this.#remainingBytes);
      this.#at += taken;
      left -= taken;
    }
  }

  /** Reads a text of 1 or 2 bytes per character, and skips the formatting behind it. */
  readText(length: number): string {
    const flags = this.readByte();
    const runs = flags & RICH ? this.readNumber16() : 0;
    const extension = flags & EXTENDED ? this.readNumber32() : 0;
    const text = this.#readCharacters(length, flags);
    this.skip(runs * 4 + extension);
    return text;
  }

  /** Each continuation of a text begins with its own flag for the width of characters. */
  #readCharacters(length: number, flags: number): string {
    let [text, width] = ["", flags & WIDE ? 2 : 1];
    for (let left = length; left > 0; ) {
      if (this.#remainingBytes === 0) {
        this.#next();
        width = this.readByte() & WIDE ? 2 : 1;
      }
      const taken = Math.min(left, Math.floor(this.#remainingBytes / width));
      if (taken === 0) throw new ApiError(234);
      const { buffer, byteOffset } = this.#current;
      const bytes = Buffer.from(buffer, byteOffset + this.#at, taken * width);
      text += bytes.toString(width === 2 ? "utf16le" : "latin1");
      this.#at += taken * width;
      left -= taken;
    }
    return text;
  }

  get #current(): DataView {
    const part = this.#parts[this.#part];
    if (!part) throw new ApiError(234);
    return part;
  }

  get #remainingBytes() {
    return this.#current.byteLength - this.#at;
  }

  #next() {
    this.#part += 1;
    this.#at = 0;
    if (this.#current.byteLength === 0) throw new ApiError(234);
  }
}

const CONTINUED = 0x3c;
const [WIDE, EXTENDED, RICH] = [1, 4, 8];
