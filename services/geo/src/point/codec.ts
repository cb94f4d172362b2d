import { constants, crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { ByteReader, ByteWriter, corruptError } from "./bytes.ts";
import { bitmapOf, type Column, type Columns, numbersOf, pointsOf, unitOf, type WrittenColumns } from "./columns.ts";
import type { Identities } from "./identities.ts";
import type { Point } from "./point.ts";
import { readWide, writeWide } from "./wide-columns.ts";

/**
 * Sorted points as columns of differences: `deflated` in chunks, `raw` in journals and between Workers. Layout:
 * version, form, checksum of the body, body. Many raw points use version 2, whose body begins at byte 8. Points are
 * written with the precision of `storedPoint`.
 */
export type Encoding = "raw" | "deflated";

export function encodePoints(points: Point[], form: Encoding): Uint8Array {
  if (form === "raw" && points.length >= MIN_WIDE_POINTS) return encodeColumns(columnsOf(points));
  const attributes = attributesOf(points);
  const out = WRITER.reset(HEADER_BYTES);
  writeBody(out, points, attributes, form);
  const body = out.bytes.subarray(HEADER_BYTES, out.length);
  const packed = form === "raw" ? body : deflateRawSync(body, attributes ? {} : NUMBERS_DEFLATE);
  const bytes = new Uint8Array(HEADER_BYTES + packed.length);
  bytes.set(packed, HEADER_BYTES);
  bytes[0] = VERSION;
  bytes[1] = form === "raw" ? 0 : 1;
  new DataView(bytes.buffer).setUint32(2, crc32(packed));
  return bytes;
}

/** Encodes columns in raw form. */
export function encodeColumns(columns: WrittenColumns): Uint8Array {
  const bytes = writeWide(columns, WIDE_HEADER_BYTES);
  bytes[0] = WIDE_VERSION;
  new DataView(bytes.buffer).setUint32(2, crc32(bytes.subarray(HEADER_BYTES)));
  return bytes;
}

/** Throws on bytes that `encodePoints` did not write, and on truncated ones. */
export function decodePoints(bytes: Uint8Array): Point[] {
  return pointsOf(decodeColumns(bytes));
}

/** Decodes points as columns, which are valid until the next call. */
export function decodeColumns(bytes: Uint8Array): Columns {
  return bytes[0] === WIDE_VERSION ? readWide(wideBodyOf(bytes)) : readColumns(bodyOf(bytes));
}

/** Decodes identities alone, to find out whether points are stored. */
export function decodeIdentities(bytes: Uint8Array): Identities {
  if (bytes[0] === WIDE_VERSION) {
    const { time, lat, lng } = readWide(wideBodyOf(bytes));
    return { time: time.slice(), lat: new Int32Array(lat), lng: new Int32Array(lng) };
  }
  const { time, lat, lng } = readIdentities(new ByteReader(bodyOf(bytes)));
  return { time, lat, lng };
}

function columnsOf(points: Point[]): WrittenColumns {
  const unit = unitOf(points);
  return {
    unit,
    numbers: numbersOf(points, unit),
    lbs: bitmapOf(points, ({ gsm_lbs }) => gsm_lbs),
    buffered: bitmapOf(points, ({ buffered }) => buffered),
    attributes: attributesOf(points),
  };
}

function attributesOf(points: Point[]): Uint8Array | null {
  if (points.every(({ attributes }) => attributes === null)) return null;
  return new TextEncoder().encode(JSON.stringify(points.map(({ attributes }) => attributes)));
}

function wideBodyOf(bytes: Uint8Array) {
  requireChecksum(bytes);
  return bytes.subarray(WIDE_HEADER_BYTES);
}

function readColumns(body: Uint8Array): Columns {
  const source = new ByteReader(body);
  const { count, time, lat, lng } = readIdentities(source);
  const columns = {
    count,
    time,
    lat,
    lng,
    speed: readColumn(source, count),
    heading: readColumn(source, count),
    alt: readColumn(source, count),
    satellites: readColumn(source, count),
    precision: readColumn(source, count),
    inputs: readColumn(source, count),
    lbs: readFlags(source, count),
    buffered: readFlags(source, count),
    attributes: readAttributes(source, count),
  };
  source.end();
  return columns;
}

const WRITER = new ByteWriter(48 * 1024);
const VERSION = 1;
const HEADER_BYTES = 6;
const WIDE_VERSION = 2;
const WIDE_HEADER_BYTES = 8;
/**
 * Both versions are needed: one point takes 40 bytes in version 1 and 88 in version 2, and decoding 1,000 points takes
 * 160 µs in version 1 and 20 in version 2.
 */
export const MIN_WIDE_POINTS = 16;

/** How a column is written: absent, or as differences of first or second order, with or without missing values. */
const NONE = 0;
const FIRST = 1;
const SECOND = 2;
const WITH_HOLES = 4;
/** The first numbers, whose differences may be large in any column. */
const HEAD_NUMBERS = 2;
/** Values within this limit, and their differences, fit into 31 bits. */
const NARROW_LIMIT = 2 ** 28;
/** A shared buffer of the length of a chunk with merged points. */
const STEPS = new Int32Array(4096);
/** Differences hardly repeat except directly: a wider search takes twice as long and finds nothing. */
const NUMBERS_DEFLATE = { strategy: constants.Z_RLE };
/** How flags are written: all set, or one bit each. */
const ALL = 1;
const SOME = 2;

function writeBody(out: ByteWriter, points: Point[], attributes: Uint8Array | null, form: Encoding) {
  out.varint(points.length);
  if (points.length === 0) return;
  // Whole seconds save three digits a point.
  const unit = unitOf(points);
  out.varint(unit);
  for (const column of numbersOf(points, unit)) writeColumn(out, column, form);
  writeFlags(out, points, ({ gsm_lbs }) => gsm_lbs);
  writeFlags(out, points, ({ buffered }) => buffered);
  writeAttributes(out, attributes);
}

/** NaN means that the point lacks the number. */
function writeColumn(out: ByteWriter, column: Float64Array, form: Encoding) {
  let holes = 0;
  for (let index = 0; index < column.length; index++) if (Number.isNaN(column[index])) holes++;
  if (holes === column.length) return out.varint(NONE);
  if (holes === 0) return writeDifferences(out, column, form, 0);
  writeDifferences(
    out,
    column.filter((value) => !Number.isNaN(value)),
    form,
    WITH_HOLES,
  );
  writeBits(
    out,
    Array.from(column, (value) => !Number.isNaN(value)),
  );
}

function writeDifferences(out: ByteWriter, values: Float64Array, form: Encoding, holes: number) {
  const steps = narrowSteps(values);
  // Raw points are short-lived: searching for the shorter order would take longer than it saves.
  const order = form === "raw" ? FIRST : orderOf(values, steps);
  out.varint(order | holes);
  if (holes) out.varint(values.length);
  // The first numbers are differences to 0, and large.
  const head = steps ? Math.min(HEAD_NUMBERS, values.length) : values.length;
  let value = 0;
  let step = 0;
  for (let index = 0; index < head; index++) {
    const next = values[index] ?? 0;
    const difference = next - value;
    out.writeSigned(order === SECOND ? difference - step : difference);
    step = difference;
    value = next;
  }
  if (steps) out.narrow(order === SECOND ? stepsOf(steps) : steps, head);
}

/** Differences of neighbours if all fit into 32-bit arithmetic, else null; the first one is not set. */
function narrowSteps(values: Float64Array): Int32Array | null {
  const steps = STEPS.subarray(0, values.length);
  if (steps.length < values.length) return null;
  let before = values[0] ?? 0;
  for (let index = 1; index < values.length; index++) {
    const value = values[index] ?? 0;
    const step = value - before;
    if (!(step > -NARROW_LIMIT && step < NARROW_LIMIT)) return null;
    steps[index] = step;
    before = value;
  }
  return steps;
}

/** Second differences, in place, from the third number on; the first two are written already. */
function stepsOf(steps: Int32Array): Int32Array {
  let before = steps[HEAD_NUMBERS - 1] ?? 0;
  for (let index = HEAD_NUMBERS; index < steps.length; index++) {
    const step = steps[index] ?? 0;
    steps[index] = step - before;
    before = step;
  }
  return steps;
}

/** A steady course has small second differences, noise has small first ones. */
function orderOf(values: Float64Array, steps: Int32Array | null) {
  let first = 0;
  let second = 0;
  const head = steps ? Math.min(HEAD_NUMBERS, values.length) : values.length;
  let value = 0;
  let step = 0;
  for (let index = 0; index < head; index++) {
    const next = values[index] ?? 0;
    const difference = next - value;
    first += bitsOf(difference);
    second += bitsOf(difference - step);
    step = difference;
    value = next;
  }
  if (!steps) return second < first ? SECOND : FIRST;
  let before = steps[HEAD_NUMBERS - 1] ?? 0;
  for (let index = HEAD_NUMBERS; index < steps.length; index++) {
    const next = steps[index] ?? 0;
    first += 32 - Math.clz32(next < 0 ? -next : next);
    const change = next - before;
    second += 32 - Math.clz32(change < 0 ? -change : change);
    before = next;
  }
  return second < first ? SECOND : FIRST;
}

/** Counts bits of 32. For larger numbers the choice may be wrong, which costs space but no precision. */
function bitsOf(difference: number) {
  return 32 - Math.clz32(difference < 0 ? -difference : difference);
}

function writeFlags(out: ByteWriter, points: Point[], isSet: (point: Point) => boolean) {
  if (!points.some(isSet)) return out.varint(NONE);
  const flags = points.map(isSet);
  const set = flags.filter(Boolean).length;
  if (set === flags.length) return out.varint(ALL);
  out.varint(SOME);
  writeBits(out, flags);
}

function writeBits(out: ByteWriter, flags: boolean[]) {
  for (let index = 0; index < flags.length; index += 8) {
    let byte = 0;
    for (let bit = 0; bit < 8; bit++) if (flags[index + bit]) byte |= 1 << bit;
    out.byte(byte);
  }
}

function writeAttributes(out: ByteWriter, text: Uint8Array | null) {
  if (!text) return out.varint(NONE);
  out.varint(text.length);
  out.all(text);
}

function bodyOf(bytes: Uint8Array) {
  if (bytes.length > 0 && bytes[0] !== VERSION) throw corruptError(`unknown version ${bytes[0]}`);
  const packed = requireChecksum(bytes);
  return bytes[1] === 1 ? inflateRawSync(packed) : packed;
}

function requireChecksum(bytes: Uint8Array) {
  if (bytes.length <= HEADER_BYTES) throw corruptError("too short");
  const packed = bytes.subarray(HEADER_BYTES);
  const checksum = new DataView(bytes.buffer, bytes.byteOffset).getUint32(2);
  if (crc32(packed) !== checksum) throw corruptError("wrong checksum");
  return packed;
}

function readIdentities(source: ByteReader) {
  const count = source.varint();
  const time = new Float64Array(count);
  const lat = new Int32Array(count);
  const lng = new Int32Array(count);
  if (count > 0) {
    const unit = source.varint();
    readDifferences(source, source.varint(), time);
    for (let index = 0; index < count; index++) time[index] = (time[index] ?? 0) * unit;
    readDifferences(source, source.varint(), lat);
    readDifferences(source, source.varint(), lng);
  }
  return { count, time, lat, lng };
}

function readColumn(source: ByteReader, count: number): Column {
  if (count === 0) return null;
  const kind = source.varint();
  if (kind === NONE) return null;
  const values = new Float64Array(count);
  if (!(kind & WITH_HOLES)) {
    readDifferences(source, kind, values);
    return { values, present: null };
  }
  const some = new Float64Array(Math.min(source.varint(), count));
  readDifferences(source, kind & ~WITH_HOLES, some);
  const present = readBits(source, count);
  let next = 0;
  for (let index = 0; index < count; index++) if (present[index]) values[index] = some[next++] ?? 0;
  return { values, present };
}

function readDifferences(source: ByteReader, order: number, into: Float64Array | Int32Array) {
  if (order !== FIRST && order !== SECOND) throw corruptError(`unknown order ${order}`);
  let value = 0;
  let step = 0;
  for (let index = 0; index < into.length; index++) {
    const difference = source.readSigned();
    step = order === SECOND ? step + difference : difference;
    value += step;
    into[index] = value;
  }
}

function readFlags(source: ByteReader, count: number): Uint8Array | null {
  if (count === 0) return null;
  const kind = source.varint();
  if (kind === NONE) return null;
  return kind === ALL ? new Uint8Array(count).fill(1) : readBits(source, count);
}

function readBits(source: ByteReader, count: number) {
  const flags = new Uint8Array(count);
  let byte = 0;
  for (let index = 0; index < count; index++) {
    if (index % 8 === 0) byte = source.byte();
    flags[index] = (byte >> (index % 8)) & 1;
  }
  return flags;
}

function readAttributes(source: ByteReader, count: number): Point["attributes"][] | null {
  if (count === 0) return null;
  const length = source.varint();
  // The checksum was right: this is the text that `writeAttributes` wrote.
  return length === 0 ? null : JSON.parse(new TextDecoder().decode(source.all(length)));
}
