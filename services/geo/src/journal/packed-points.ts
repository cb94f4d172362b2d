import { decodePoints, MIN_WIDE_POINTS } from "../point/codec.ts";
import {
  comparePoints,
  earliestAt,
  type Identity,
  lowerBound,
  mergePoints,
  type Point,
  pointsAfter,
  withoutPoints,
} from "../point/point.ts";
import type { PointBatch } from "../point/point-batch.ts";

/** Points that arrived together, encoded until they are read. */
type PackedBatch = { count: number; last: Point } & ({ bytes: Uint8Array } | { points: Point[] });

/** The points of a moment: still the first ones of the list unless `insertions` has changed since. */
export type PackedPrefix = {
  count: number;
  insertions: number;
  /** Decodes `count` points from an index on; the list keeps them encoded. */
  readBatches(from: number, count: number): Point[];
};

/**
 * Sorted points that stay encoded in their batches: a fifteenth of the memory of objects, of which a feed would hold
 * thousands for an hour, and no work for the garbage collector.
 */
export class PackedPoints {
  #batches: PackedBatch[] = [];
  #length = 0;
  /** Counts insertions between existing points, which make prefixes invalid. */
  #insertions = 0;

  get length() {
    return this.#length;
  }

  get last(): Point | null {
    return this.#batches.at(-1)?.last ?? null;
  }

  /** Decoded points. The same array as long as points were only appended. */
  get all(): Point[] {
    const [first, ...others] = this.#batches;
    if (!first) return [];
    const points = pointsOf(first);
    for (const run of others) for (const point of pointsOf(run)) points.push(point);
    this.#batches = toBatches(points);
    return points;
  }

  /** Appends points that are all later than the last one. */
  push(sent: PointBatch) {
    const { count, last, bytes } = sent;
    if (!last) return;
    this.#length += count;
    const run = this.#batches.at(-1);
    if (bytes && count >= MIN_WIDE_POINTS) this.#batches.push({ count, last, bytes });
    else if (run && "points" in run) {
      for (const point of sent.points) run.points.push(point);
      run.count = run.points.length;
      run.last = last;
    } else this.#batches.push(...toBatches([...sent.points]));
  }

  /** Inserts points anywhere. */
  insert(points: Point[]) {
    this.#insertions++;
    this.replace(mergePoints(this.all, points));
  }

  replace(points: Point[]) {
    this.#batches = toBatches(points);
    this.#length = points.length;
  }

  lastBefore(time: number): Point | null {
    const index = this.#batches.findLastIndex(({ last }) => last.time < time);
    // The next batch may begin before the time: its points have to be searched.
    const next = this.#batches[index + 1];
    if (!next) return this.#batches[index]?.last ?? null;
    const points = pointsOf(next);
    return points[lowerBound(points, earliestAt(time)) - 1] ?? this.#batches[index]?.last ?? null;
  }

  /** Points after this one, null: all. The list keeps them encoded. */
  after(point: Identity | null): Point[] {
    const first = point ? this.#batches.findIndex(({ last }) => comparePoints(last, point) > 0) : 0;
    const points = first === -1 ? [] : this.#batches.slice(first).flatMap(pointsOf);
    return point ? pointsAfter(points, point) : points;
  }

  prefix(): PackedPrefix {
    const runs = [...this.#batches];
    // Copied, as later points may be appended to the last batch.
    const last = runs.pop();
    if (last) runs.push({ ...last });
    return { count: this.#length, insertions: this.#insertions, readBatches: (from, count) => read(runs, from, count) };
  }

  drop(prefix: PackedPrefix) {
    if (prefix.insertions !== this.#insertions) {
      this.replace(withoutPoints(this.all, prefix.readBatches(0, prefix.count)));
      return;
    }
    let left = prefix.count;
    while (left > 0) {
      const run = this.#batches.shift();
      if (!run) break;
      if (run.count > left) this.#batches.unshift(...toBatches(pointsOf(run).slice(left)));
      left -= run.count;
    }
    this.#length -= prefix.count;
  }
}

function read(runs: PackedBatch[], from: number, count: number): Point[] {
  const slice: Point[] = [];
  let begin = 0;
  for (const run of runs) {
    const end = begin + run.count;
    if (begin >= from + count) break;
    if (end > from) {
      const points = pointsOf(run);
      const until = Math.min(run.count, from + count - begin);
      for (let index = Math.max(0, from - begin); index < until; index++) {
        const point = points[index];
        if (point) slice.push(point);
      }
    }
    begin = end;
  }
  return slice;
}

function pointsOf(run: PackedBatch): Point[] {
  return "points" in run ? run.points : decodePoints(run.bytes);
}

function toBatches(points: Point[]): PackedBatch[] {
  const last = points.at(-1);
  return last ? [{ count: points.length, last, points }] : [];
}
