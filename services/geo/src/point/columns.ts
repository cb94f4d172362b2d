import { DEGREES } from "./identities.ts";
import type { Point } from "./point.ts";

/** Whole numbers of all points; `present` tells which of them have one, null: all. A column of no point is null. */
export type Column = { values: Float64Array; present: Uint8Array | null } | null;

/** Points, each of their members in a column of its own, as the whole numbers that they are stored as. */
export type Columns = {
  count: number;
  time: Float64Array;
  lat: Int32Array;
  lng: Int32Array;
  /** In tenths of km/h. */
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

/** The numbers of a point, each as the whole number that it is stored as, in the order of the columns. */
export function readersIn(unit: number): ((point: Point) => number | null)[] {
  return unit === 1 ? MILLISECONDS : SECONDS;
}

/** Most devices count in whole seconds. */
export function unitOf(points: Point[]): number {
  return points.every(({ time }) => time % 1000 === 0) ? 1000 : 1;
}

export function pointsOf(columns: Columns): Point[] {
  const { count, time, lat, lng, speed, heading, alt, satellites, precision, inputs } = columns;
  const { lbs, buffered, attributes } = columns;
  const points = new Array<Point>(count);
  for (let index = 0; index < count; index++) {
    const tenths = at(speed, index);
    points[index] = {
      time: time[index] ?? 0,
      lat: (lat[index] ?? 0) / DEGREES,
      lng: (lng[index] ?? 0) / DEGREES,
      speed: tenths === null ? null : tenths / 10,
      heading: at(heading, index),
      alt: at(alt, index),
      satellites: at(satellites, index),
      precision: at(precision, index),
      inputs: at(inputs, index),
      gsm_lbs: lbs ? lbs[index] === 1 : false,
      buffered: buffered ? buffered[index] === 1 : false,
      attributes: attributes?.[index] ?? null,
    };
  }
  return points;
}

const OTHERS: ((point: Point) => number | null)[] = [
  ({ lat }) => Math.round(lat * DEGREES),
  ({ lng }) => Math.round(lng * DEGREES),
  ({ speed }) => (speed === null ? null : Math.round(speed * 10)),
  ({ heading }) => heading,
  ({ alt }) => alt,
  ({ satellites }) => satellites,
  ({ precision }) => precision,
  ({ inputs }) => inputs,
];
const MILLISECONDS = [({ time }: Point) => time, ...OTHERS];
const SECONDS = [({ time }: Point) => time / 1000, ...OTHERS];

function at(column: Column, index: number): number | null {
  if (!column || (column.present && column.present[index] === 0)) return null;
  return column.values[index] ?? null;
}
