import { DEGREES } from "./identities.ts";
import type { Point } from "./point.ts";

/**
 * Whole numbers of all points; `present` marks the points that have one, null: all have. A column without any number is
 * null.
 */
export type Column = { values: Float64Array; present: Uint8Array | null } | null;

/** Points by column, in the whole numbers that are stored. */
export type Columns = {
  count: number;
  time: Float64Array;
  lat: Int32Array | Float64Array;
  lng: Int32Array | Float64Array;
  /** Tenths of km/h. */
  speed: Column;
  heading: Column;
  alt: Column;
  satellites: Column;
  precision: Column;
  inputs: Column;
  lbs: Uint8Array | null;
  buffered: Uint8Array | null;
  attributes: Point["attributes"][] | null;
};

/** Points to be written: the numbers of `numbersOf`, and members that only some points have. */
export type WrittenColumns = {
  /** Milliseconds that times are counted in. */
  unit: number;
  numbers: Float64Array[];
  lbs: Uint8Array | null;
  buffered: Uint8Array | null;
  /** A JSON array with an object or null for each point. */
  attributes: Uint8Array | null;
};

/** 1000 if all times are whole seconds, as most devices send them, else 1. */
export function unitOf(points: Point[]): number {
  // `%` would take several times as long.
  for (const { time } of points) if (Math.floor(time / 1000) * 1000 !== time) return 1;
  return 1000;
}

/** Reusable columns, as creating them takes longer than filling them. All calls share them. */
export class ColumnPool {
  #columns: Float64Array[] = [];

  /** Answers a column that is valid until the next call with this index: nothing may be awaited in between. */
  column(index: number, length: number): Float64Array {
    let column = this.#columns[index];
    if (!column || column.length < length) {
      column = new Float64Array(length);
      // The length of a chunk; longer columns are not kept.
      if (length <= MAX_POOLED_LENGTH) this.#columns[index] = column;
    }
    return column.subarray(0, length);
  }
}

/**
 * The numbers of points by column, as stored; NaN: missing. Runs for every accepted point, so each is read once. Valid
 * until the next call.
 */
export function numbersOf(points: Point[], unit: number): Float64Array[] {
  const { length } = points;
  const columns = Array.from({ length: NUMBER_COLUMNS }, (_, index) => POOL.column(index, length));
  const [time, lat, lng, speed, heading, alt, satellites, precision, inputs] = columns;
  if (!time || !lat || !lng || !speed || !heading || !alt || !satellites || !precision || !inputs) return columns;
  for (let index = 0; index < length; index++) {
    const point = points[index];
    if (!point) break;
    time[index] = Math.round(point.time) / unit;
    lat[index] = roundToInteger(point.lat * DEGREES);
    lng[index] = roundToInteger(point.lng * DEGREES);
    speed[index] = point.speed === null ? Number.NaN : roundToInteger(point.speed * 10);
    heading[index] = point.heading === null ? Number.NaN : roundToInteger(point.heading);
    alt[index] = point.alt === null ? Number.NaN : roundToInteger(point.alt);
    satellites[index] = point.satellites === null ? Number.NaN : roundToInteger(point.satellites);
    precision[index] = point.precision === null ? Number.NaN : roundToInteger(point.precision);
    inputs[index] = point.inputs ?? Number.NaN;
  }
  return columns;
}

/** The points of the columns from one index to another. */
export function pointsOf(columns: Columns, from = 0, to = columns.count): Point[] {
  const { time, lat, lng, speed, heading, alt, satellites, precision, inputs } = columns;
  const { lbs, buffered, attributes } = columns;
  const points = new Array<Point>(to - from);
  for (let index = from; index < to; index++) {
    const tenths = numberAt(speed, index);
    points[index - from] = {
      time: time[index] ?? 0,
      lat: (lat[index] ?? 0) / DEGREES,
      lng: (lng[index] ?? 0) / DEGREES,
      speed: tenths === null ? null : tenths / 10,
      heading: numberAt(heading, index),
      alt: numberAt(alt, index),
      satellites: numberAt(satellites, index),
      precision: numberAt(precision, index),
      inputs: numberAt(inputs, index),
      gsm_lbs: lbs ? lbs[index] === 1 : false,
      buffered: buffered ? buffered[index] === 1 : false,
      attributes: attributes?.[index] ?? null,
    };
  }
  return points;
}

/** Adding zero turns -0, which no stored form has, into 0. */
export function roundToInteger(value: number) {
  return Math.round(value) + 0;
}

/** A bit for each item; null if none is set. */
export function bitmapOf<Item>(items: Iterable<Item> & { length: number }, isSet: (item: Item) => boolean) {
  let bits: Uint8Array | null = null;
  let index = 0;
  for (const item of items) {
    if (isSet(item)) {
      bits ??= new Uint8Array(Math.ceil(items.length / 8));
      bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    }
    index++;
  }
  return bits;
}

function numberAt(column: Column, index: number): number | null {
  if (!column || (column.present && column.present[index] === 0)) return null;
  return column.values[index] ?? null;
}

const NUMBER_COLUMNS = 9;
const MAX_POOLED_LENGTH = 4096;
const POOL = new ColumnPool();
