import { ApiError } from "#shared/error/api-error.ts";

/** `parts` are its own data and that of the records that continue it. */
export type SheetRecord = { type: number; data: DataView; parts: DataView[] };

/** The records from a place of the stream on. One that says that it goes on behind the stream's end is 234. */
export function* readRecords(stream: Uint8Array, from: number): Generator<SheetRecord> {
  let open: SheetRecord | undefined;
  for (const { type, data } of readRawRecords(stream, from)) {
    if (type === CONTINUED) {
      open?.parts.push(data);
      continue;
    }
    if (open) yield open;
    open = { type, data, parts: [data] };
  }
  if (open) yield open;
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

/** Reads on from one record to those that continue it. Behind the last byte it throws. */
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

  /** A text of characters of one byte or two, behind which its formats stand. */
  readText(length: number): string {
    const flags = this.readByte();
    const runs = flags & RICH ? this.readNumber16() : 0;
    const extension = flags & EXTENDED ? this.readNumber32() : 0;
    const text = this.#readCharacters(length, flags);
    this.skip(runs * 4 + extension);
    return text;
  }

  /** Each part of a text that is continued says again how wide its characters are. */
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
