/** Writes numbers one after the other into a growing array of bytes. */
export class ByteWriter {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Starts again after `length` bytes, overwriting the earlier content. */
  reset(length: number): this {
    if (this.bytes.length > MAX_REUSED_BYTES) this.bytes = new Uint8Array(MAX_REUSED_BYTES);
    this.length = length;
    return this;
  }

  byte(value: number) {
    if (this.length >= this.bytes.length) this.#grow(1);
    this.bytes[this.length++] = value;
  }

  /** Writes a whole number up to 2^53, seven bits a byte, the lowest first. */
  varint(value: number) {
    if (this.length + MAX_VARINT_BYTES > this.bytes.length) this.#grow(MAX_VARINT_BYTES);
    let rest = value;
    // Shifts work on 32 bits only, but are several times as fast.
    while (rest >= 2 ** 31) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** Writes a signed number; the sign is the lowest bit, so that small negative numbers stay short. */
  writeSigned(value: number) {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Writes many signed numbers of less than 31 bits, from an index on. */
  narrow(values: Int32Array, from: number) {
    if (this.length + MAX_NARROW_BYTES * values.length > this.bytes.length)
      this.#grow(MAX_NARROW_BYTES * values.length);
    const { bytes } = this;
    let at = this.length;
    for (let index = from; index < values.length; index++) {
      const value = values[index] ?? 0;
      let rest = (value << 1) ^ (value >> 31);
      for (; rest >= 0x80; rest >>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
      bytes[at++] = rest;
    }
    this.length = at;
  }

  all(bytes: Uint8Array) {
    if (this.length + bytes.length > this.bytes.length) this.#grow(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  #grow(need: number) {
    const larger = new Uint8Array(2 * this.bytes.length + need);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote. */
export class ByteReader {
  /** Kept alive, as V8 discards compiled code of a class without instances. */
  static readonly IDLE = new ByteReader(new Uint8Array());
  #bytes: Uint8Array;
  #next = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte() {
    const value = this.#bytes[this.#next++];
    if (value === undefined) throw corruptError("ends early");
    return value;
  }

  varint() {
    const first = this.byte();
    if (first < 0x80) return first;
    let value = first - 0x80;
    let scale = 0x80;
    for (;;) {
      const byte = this.byte();
      if (byte < 0x80) return value + byte * scale;
      value += (byte - 0x80) * scale;
      scale *= 0x80;
    }
  }

  readSigned() {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  all(length: number) {
    if (this.#next + length > this.#bytes.length) throw corruptError("ends early");
    this.#next += length;
    return this.#bytes.subarray(this.#next - length, this.#next);
  }

  end() {
    if (this.#next !== this.#bytes.length) throw corruptError("goes on after its end");
  }
}

export function corruptError(why: string) {
  return new Error(`points cannot be decoded: ${why}`);
}

/** A writer keeps at most so many bytes for its next use. */
const MAX_REUSED_BYTES = 256 * 1024;
const MAX_VARINT_BYTES = 8;
const MAX_NARROW_BYTES = 5;
