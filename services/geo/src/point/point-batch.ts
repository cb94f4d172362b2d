import { decodeColumns, decodePoints } from "./codec.ts";
import { type Columns, pointsOf } from "./columns.ts";
import { reportedSpeed } from "./measured.ts";
import type { Identity, Point } from "./point.ts";

/** A list of sorted points and, where somebody has it, their raw form. */
type BatchContent = {
  count: number;
  first: Point | null;
  newest: Point[];
  points: Point[] | null;
  bytes: Uint8Array | null;
};

/**
 * Sorted points of a request, as far as they are taken. Plain ones stay in their raw form until somebody reads them all:
 * fixes of satellites alone, each later than the one before, with a speed at their end and nothing told beside them.
 */
export class PointBatch {
  readonly count: number;
  readonly first: Point | null;
  /** What a tracker was last known to do follows from these as from all of them. */
  readonly newest: Point[];
  readonly isPlain: boolean;
  /** Null where nobody has encoded exactly these. */
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

  /** Of no points. While there is one, V8 keeps what it compiled for others. */
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
    const hasSpeed = last !== undefined && reportedSpeed(last) !== null;
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

  /** The first that is not older than the time. */
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

/** As many as messages of a device are kept whole. */
export const NEWEST_POINTS = 12;
