import { decodeColumns, decodePoints } from "./codec.ts";
import { type Columns, pointsOf } from "./columns.ts";
import { reportedSpeedKmh } from "./measured.ts";
import type { Identity, Point } from "./point.ts";

/** Sorted points and, if known, their raw form. */
type BatchContent = {
  count: number;
  first: Point | null;
  newest: Point[];
  points: Point[] | null;
  bytes: Uint8Array | null;
};

/**
 * Sorted points of a request. Plain ones stay encoded until they are needed: satellite fixes with ascending times, a
 * speed at the end, no inputs and no attributes.
 */
export class PointBatch {
  readonly count: number;
  readonly first: Point | null;
  /** The last points, which alone determine the tracker's state. */
  readonly newest: Point[];
  readonly isPlain: boolean;
  /** The raw form of exactly these points; null: not encoded. */
  readonly bytes: Uint8Array | null;
  #points: Point[] | null;

  private constructor({ count, first, newest, points, bytes }: BatchContent) {
    this.count = count;
    this.first = first;
    this.newest = newest;
    this.bytes = bytes;
    this.isPlain = points === null;
    this.#points = points;
  }

  /** The batch without points. Kept alive, as V8 discards compiled code of a class without instances. */
  static readonly NONE = PointBatch.of([]);

  static of(points: Point[], bytes: Uint8Array | null = null): PointBatch {
    return new PointBatch({ count: points.length, first: points[0] ?? null, newest: points, points, bytes });
  }

  static read(bytes: Uint8Array): PointBatch {
    const columns = decodeColumns(bytes);
    const { count } = columns;
    if (count <= NEWEST_POINTS || !arePlain(columns)) return PointBatch.of(pointsOf(columns), bytes);
    const [first = null] = pointsOf(columns, 0, 1);
    const newest = pointsOf(columns, count - NEWEST_POINTS, count);
    const last = newest.at(-1);
    const hasSpeed = last !== undefined && reportedSpeedKmh(last) !== null;
    return hasSpeed
      ? new PointBatch({ count, first, newest, points: null, bytes })
      : PointBatch.of(pointsOf(columns), bytes);
  }

  get last(): Point | null {
    return this.newest.at(-1) ?? null;
  }

  get points(): Point[] {
    this.#points ??= this.bytes ? decodePoints(this.bytes) : [];
    return this.#points;
  }

  /** The first point at or after the time. */
  firstSince(time: number): Identity | null {
    const { first, last } = this;
    if (!first || !last || last.time < time) return null;
    return first.time >= time ? first : (this.points.find((point) => point.time >= time) ?? null);
  }
}

function arePlain({ count, time, lbs, inputs, attributes }: Columns): boolean {
  if (lbs || inputs || attributes) return false;
  for (let index = 1; index < count; index++) if (!((time[index - 1] ?? 0) < (time[index] ?? 0))) return false;
  return true;
}

/** The number of device messages that are kept whole. */
export const NEWEST_POINTS = 12;
