import { corruptError } from "./bytes.ts";
import { bitmapOf, type Column, ColumnPool, type Columns, type WrittenColumns } from "./columns.ts";
import type { Point } from "./point.ts";

/**
 * Writes each column as differences of one width: a third longer than the packed form, but much faster. Everything
 * begins at multiples of eight bytes; numbers are little-endian, as on the processors in use.
 */
export function writeWide(written: WrittenColumns, headerBytes: number): Uint8Array {
  const { unit, attributes } = written;
  const columns = written.numbers.map(encodeColumn);
  const flags = [written.lbs, written.buffered];
  const sizes = [...columns.map(bytesOf), ...[...flags, attributes].map((part) => padToEight(part?.length ?? 0))];
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, headerBytes + HEAD_BYTES));
  const head = new DataView(bytes.buffer, headerBytes);
  head.setUint32(COUNT_AT, written.numbers[0]?.length ?? 0, true);
  head.setUint32(UNIT_AT, unit, true);
  head.setUint32(TEXT_AT, attributes?.length ?? 0, true);
  for (const [index, kind] of [
    ...columns.map(({ kind }) => kind),
    ...flags.map((part) => (part ? 1 : NONE)),
  ].entries()) {
    head.setUint8(KINDS_AT + index, kind);
  }
  let next = headerBytes + HEAD_BYTES;
  for (const column of columns) {
    writeColumn(column, bytes, next);
    next += bytesOf(column);
  }
  for (const part of [...flags, attributes]) {
    if (part) bytes.set(part, next);
    next += padToEight(part?.length ?? 0);
  }
  return bytes;
}

/** Reads what `writeWide` wrote; the caller has verified the checksum. The numbers are valid until the next call. */
export function readWide(encoded: Uint8Array): Columns {
  const bytes = alignBytes(encoded);
  if (bytes.length < HEAD_BYTES) throw corruptError("too short");
  const head = new DataView(bytes.buffer, bytes.byteOffset);
  const count = head.getUint32(COUNT_AT, true);
  const unit = head.getUint32(UNIT_AT, true);
  const source = READER.from(bytes, count);
  const [time, lat, lng, ...others] = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((index) =>
    source.column(bytes[KINDS_AT + index], READ.column(index, count)),
  );
  const [speed = null, heading = null, alt = null, satellites = null, precision = null, inputs = null] = others;
  const lbs = bytes[KINDS_AT + 9] ? source.flags(count) : null;
  const buffered = bytes[KINDS_AT + 10] ? source.flags(count) : null;
  const attributes = source.attributes(head.getUint32(TEXT_AT, true));
  source.end();
  return {
    count,
    time: scaleInPlace(time?.values ?? new Float64Array(count), unit),
    lat: lat?.values ?? new Float64Array(count),
    lng: lng?.values ?? new Float64Array(count),
    speed,
    heading,
    alt,
    satellites,
    precision,
    inputs,
    lbs,
    buffered,
    attributes,
  };
}

/** Copies bytes unless they begin at a multiple of eight, as views of numbers require. */
function alignBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  const isAligned = byteOffset % 8 === 0 && buffer instanceof ArrayBuffer;
  return isAligned ? new Uint8Array(buffer, byteOffset, length) : new Uint8Array(bytes);
}

/** A column's differences as written; `present` has a bit for each point. */
type EncodedColumn = { kind: number; first: number; steps: Float64Array; present: Uint8Array | null };

/** The differences are valid until the next call for this column. */
function encodeColumn(column: Float64Array, index: number): EncodedColumn {
  const values = column.includes(Number.NaN) ? column.filter(isPresent) : column;
  if (values.length === 0) return { kind: NONE, first: 0, steps: values, present: null };
  const present = values.length < column.length ? bitmapOf(column, isPresent) : null;
  const steps = STEPS.column(index, values.length - 1);
  const first = values[0] ?? 0;
  let [before, min, max] = [first, 0, 0];
  for (let position = 0; position < steps.length; position++) {
    const value = values[position + 1] ?? 0;
    const step = value - before;
    steps[position] = step;
    if (step > max) max = step;
    else if (step < min) min = step;
    before = value;
  }
  const width = isWithin(min, max, 7) ? 1 : isWithin(min, max, 15) ? 2 : isWithin(min, max, 31) ? 4 : 8;
  return { kind: present ? width + WITH_HOLES : width, first, steps, present };
}

function isPresent(value: number) {
  return !Number.isNaN(value);
}

function isWithin(min: number, max: number, bits: number) {
  return min > -(2 ** bits) && max < 2 ** bits;
}

/** The written size of a column: first number, presence bits, differences. */
function bytesOf({ kind, steps, present }: EncodedColumn): number {
  if (kind === NONE) return 0;
  return 8 + padToEight(present?.length ?? 0) + padToEight(steps.length * (kind & ~WITH_HOLES));
}

function writeColumn({ kind, first, steps, present }: EncodedColumn, bytes: Uint8Array<ArrayBuffer>, at: number) {
  const narrow = ARRAYS[kind & ~WITH_HOLES];
  if (!narrow) return;
  new Float64Array(bytes.buffer, at, 1)[0] = first;
  if (present) bytes.set(present, at + 8);
  new narrow(bytes.buffer, at + 8 + padToEight(present?.length ?? 0), steps.length).set(steps);
}

const NO_BYTES = new Uint8Array();

/** One shared reader: V8 discards compiled code of a class without instances. */
class WideReader {
  #bytes = NO_BYTES;
  #count = 0;
  #next = 0;

  from(bytes: Uint8Array<ArrayBuffer>, count: number): this {
    this.#bytes = bytes;
    this.#count = count;
    this.#next = HEAD_BYTES;
    return this;
  }

  /** Reads a column into `values`. */
  column(kind = NONE, values: Float64Array): Column {
    if (kind === NONE) return null;
    const narrow = ARRAYS[kind & ~WITH_HOLES];
    if (!narrow) throw corruptError(`unknown width ${kind}`);
    const first = new Float64Array(this.#bytes.buffer, this.#skip(8), 1)[0] ?? 0;
    const present = kind & WITH_HOLES ? this.flags(this.#count) : null;
    const some = present ? present.reduce((sum, flag) => sum + flag, 0) : this.#count;
    const steps = new narrow(this.#bytes.buffer, this.#skip((some - 1) * narrow.BYTES_PER_ELEMENT), some - 1);
    if (present) fillPresent(values, first, steps, present);
    else fill(values, first, steps);
    return { values, present };
  }

  flags(count: number): Uint8Array {
    const at = this.#skip(Math.ceil(count / 8)) - this.#bytes.byteOffset;
    const flags = new Uint8Array(count);
    for (let index = 0; index < count; index++)
      flags[index] = ((this.#bytes[at + (index >> 3)] ?? 0) >> (index & 7)) & 1;
    return flags;
  }

  attributes(length: number): Point["attributes"][] | null {
    if (length === 0) return null;
    const text = new Uint8Array(this.#bytes.buffer, this.#skip(length), length);
    // The checksum was right: this is the text that `writeWide` wrote.
    return JSON.parse(new TextDecoder().decode(text));
  }

  end() {
    if (this.#next !== this.#bytes.length) throw corruptError("goes on after its end");
    this.#bytes = NO_BYTES;
  }

  /** Skips a section; answers its offset in the buffer. */
  #skip(length: number): number {
    const at = this.#next;
    this.#next += padToEight(length);
    if (length < 0 || this.#next > this.#bytes.length) throw corruptError("ends early");
    return this.#bytes.byteOffset + at;
  }
}

function fill(values: Float64Array, first: number, steps: ArrayLike<number>) {
  // Copied first: adding numbers of one width is much faster.
  values.set(steps, 1);
  let value = first;
  values[0] = value;
  for (let index = 1; index < values.length; index++) {
    value += values[index] ?? 0;
    values[index] = value;
  }
}

function fillPresent(values: Float64Array, first: number, steps: ArrayLike<number>, present: Uint8Array) {
  let value = first;
  let count = 0;
  for (let index = 0; index < values.length; index++) {
    if (present[index] === 0) continue;
    if (count > 0) value += steps[count - 1] ?? 0;
    count++;
    values[index] = value;
  }
}

function scaleInPlace(values: Float64Array, unit: number): Float64Array {
  for (let index = 0; index < values.length; index++) values[index] = (values[index] ?? 0) * unit;
  return values;
}

function padToEight(length: number) {
  return (length + 7) & ~7;
}

const ARRAYS: Record<number, typeof Int8Array | typeof Int16Array | typeof Int32Array | typeof Float64Array> = {
  1: Int8Array,
  2: Int16Array,
  4: Int32Array,
  8: Float64Array,
};
const READER = new WideReader();
const READ = new ColumnPool();
const STEPS = new ColumnPool();
const NONE = 0;
const WITH_HOLES = 16;
const [COUNT_AT, UNIT_AT, TEXT_AT, KINDS_AT, HEAD_BYTES] = [0, 4, 8, 12, 24];
