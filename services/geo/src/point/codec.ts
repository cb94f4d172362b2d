import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { ByteReader, ByteWriter, corrupt } from "./bytes.ts";
import { type Column, type Columns, numbersOf, pointsOf, unitOf } from "./columns.ts";
import type { Identities } from "./identities.ts";
import type { Point } from "./point.ts";
import { readWide, writeWide } from "./wide-columns.ts";

/**
 * Sorted points as columns of differences: what a chunk holds (`deflated`), and what a journal row holds and one
 * Worker hands to another (`raw`). Layout: version, form, checksum of the body, body.
 * Many raw points are of the second version, whose body begins at the eighth byte. Points are written in the precision of
 * `storedPoint`, whatever they come in.
 */
export type Form = "raw" | "deflated";

export function encodePoints(points: Point[], form: Form): Uint8Array {
  if (form === "raw" && points.length >= WIDE_POINTS) return encodeWide(points);
  const out = new ByteWriter(HEADER_BYTES + 16 + points.length * 24);
  out.length = HEADER_BYTES;
  writeBody(out, points, form);
  const body = out.bytes.subarray(HEADER_BYTES, out.length);
  const packed = form === "raw" ? body : deflateRawSync(body);
  const bytes = new Uint8Array(HEADER_BYTES + packed.length);
  bytes.set(packed, HEADER_BYTES);
  bytes[0] = VERSION;
  bytes[1] = form === "raw" ? 0 : 1;
  new DataView(bytes.buffer).setUint32(2, crc32(packed));
  return bytes;
}

/** Throws on anything that `encodePoints` did not write whole. */
export function decodePoints(bytes: Uint8Array): Point[] {
  return pointsOf(bytes[0] === WIDE_VERSION ? readWide(wideBodyOf(bytes)) : readColumns(bodyOf(bytes)));
}

/** Only what tells whether a point is stored already. */
export function decodeIdentities(bytes: Uint8Array): Identities {
  if (bytes[0] === WIDE_VERSION) {
    const { time, lat, lng } = readWide(wideBodyOf(bytes));
    return { time: time.slice(), lat: new Int32Array(lat), lng: new Int32Array(lng) };
  }
  const { time, lat, lng } = readIdentities(new ByteReader(bodyOf(bytes)));
  return { time, lat, lng };
}

function encodeWide(points: Point[]): Uint8Array {
  const bytes = writeWide(points, WIDE_HEADER_BYTES);
  bytes[0] = WIDE_VERSION;
  new DataView(bytes.buffer).setUint32(2, crc32(bytes.subarray(HEADER_BYTES)));
  return bytes;
}

function wideBodyOf(bytes: Uint8Array) {
  requireChecksum(bytes);
  return bytes.subarray(WIDE_HEADER_BYTES);
}

function readColumns(body: Uint8Array): Columns {
  const source = new ByteReader(body);
  const { count, time, lat, lng } = readIdentities(source);
  const columns = {
    ...{ count, time, lat, lng },
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

const VERSION = 1;
const HEADER_BYTES = 6;
const WIDE_VERSION = 2;
const WIDE_HEADER_BYTES = 8;
/** Fewer are shorter, and as quick, in the first version. */
const WIDE_POINTS = 16;

/** How a column stands in the body: absent, or its differences of the first or second order, with or without holes. */
const NONE = 0;
const FIRST = 1;
const SECOND = 2;
const WITH_HOLES = 4;
/** Flags that are all set, or one bit each. */
const ALL = 1;
const SOME = 2;

function writeBody(out: ByteWriter, points: Point[], form: Form) {
  out.varint(points.length);
  if (points.length === 0) return;
  // Three digits less per point.
  const unit = unitOf(points);
  out.varint(unit);
  for (const column of numbersOf(points, unit)) writeColumn(out, column, form);
  writeFlags(
    out,
    points.map(({ gsm_lbs }) => gsm_lbs),
  );
  writeFlags(
    out,
    points.map(({ buffered }) => buffered),
  );
  writeAttributes(out, points);
}

/** NaN: the point has no such number. */
function writeColumn(out: ByteWriter, column: Float64Array, form: Form) {
  const isWhole = !column.includes(Number.NaN);
  const values = isWhole ? column : column.filter((value) => !Number.isNaN(value));
  if (values.length === 0) return out.varint(NONE);
  writeDifferences(out, values, form, isWhole ? 0 : WITH_HOLES);
  if (isWhole) return;
  writeBits(
    out,
    Array.from(column, (value) => !Number.isNaN(value)),
  );
}

function writeDifferences(out: ByteWriter, values: Float64Array, form: Form, holes: number) {
  // What is not packed is not kept: looking for the shorter order would take longer than it saves.
  const order = form === "raw" ? FIRST : orderOf(values);
  out.varint(order | holes);
  if (holes) out.varint(values.length);
  let value = 0;
  let step = 0;
  for (let index = 0; index < values.length; index++) {
    const next = values[index] ?? 0;
    const difference = next - value;
    out.signed(order === SECOND ? difference - step : difference);
    step = difference;
    value = next;
  }
}

/** A steady course has small second differences, noise has small first ones. */
function orderOf(values: Float64Array) {
  let first = 0;
  let second = 0;
  let value = values[0] ?? 0;
  let step = 0;
  for (let index = 0; index < values.length; index++) {
    const next = values[index] ?? 0;
    const difference = next - value;
    first += bitsOf(difference);
    second += bitsOf(difference - step);
    step = difference;
    value = next;
  }
  return second < first ? SECOND : FIRST;
}

/** Of 32: beyond them the guess may be wrong, which costs room but no value. */
function bitsOf(difference: number) {
  return 32 - Math.clz32(difference < 0 ? -difference : difference);
}

function writeFlags(out: ByteWriter, flags: boolean[]) {
  const set = flags.filter(Boolean).length;
  if (set === 0) return out.varint(NONE);
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

function writeAttributes(out: ByteWriter, points: Point[]) {
  if (points.every(({ attributes }) => attributes === null)) return out.varint(NONE);
  const text = new TextEncoder().encode(JSON.stringify(points.map(({ attributes }) => attributes)));
  out.varint(text.length);
  out.all(text);
}

function bodyOf(bytes: Uint8Array) {
  if (bytes.length > 0 && bytes[0] !== VERSION) throw corrupt(`unknown version ${bytes[0]}`);
  const packed = requireChecksum(bytes);
  return bytes[1] === 1 ? inflateRawSync(packed) : packed;
}

function requireChecksum(bytes: Uint8Array) {
  if (bytes.length <= HEADER_BYTES) throw corrupt("too short");
  const packed = bytes.subarray(HEADER_BYTES);
  const checksum = new DataView(bytes.buffer, bytes.byteOffset).getUint32(2);
  if (crc32(packed) !== checksum) throw corrupt("wrong checksum");
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
  if (order !== FIRST && order !== SECOND) throw corrupt(`unknown order ${order}`);
  let value = 0;
  let step = 0;
  for (let index = 0; index < into.length; index++) {
    const difference = source.signed();
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
  // The checksum held: this is the text that `writeAttributes` wrote.
  return length === 0 ? null : JSON.parse(new TextDecoder().decode(source.all(length)));
}
