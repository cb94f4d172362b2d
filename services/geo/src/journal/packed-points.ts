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

/** Points that came together: in their raw form until somebody reads them. */
type PackedBatch = { count: number; last: Point } & ({ bytes: Uint8Array } | { points: Point[] });

/** What there was at a moment: the first points, unless others were put between them since. */
export type PackedPrefix = {
  count: number;
  insertions: number;
  /** So many from an index on; they stay packed where they are. */
  readBatches(from: number, count: number): Point[];
};

/**
 * Sorted points, the batches among them as bytes: a fifteenth of the room that objects take, of which a feed would hold
 * thousands for an hour, and nothing that the collector of garbage has to go through.
 */
export class PackedPoints {
  #batches: PackedBatch[] = [];
  #length = 0;
  /** How often points were put between others. */
  #insertions = 0;

  get length() {
    return this.#length;
  }

  get last(): Point | null {
    return this.#batches.at(-1)?.last ?? null;
  }

  /** The same list as before as long as points came only behind it. */
  get all(): Point[] {
    const [first, ...others] = this.#batches;
    if (!first) return [];
    const points = pointsOf(first);
    for (const run of others) for (const point of pointsOf(run)) points.push(point);
    this.#batches = toBatches(points);
    return points;
  }

  /** All of them behind those that are here. */
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

  /** Somewhere between those that are here. */
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
    // Where the next run begins before it, too, it has to be looked into.
    const next = this.#batches[index + 1];
    if (!next) return this.#batches[index]?.last ?? null;
    const points = pointsOf(next);
    return points[lowerBound(points, earliestAt(time)) - 1] ?? this.#batches[index]?.last ?? null;
  }

  /** Those behind the point; null: all of them. They stay packed where they are. */
  after(point: Identity | null): Point[] {
    const first = point ? this.#batches.findIndex(({ last }) => comparePoints(last, point) > 0) : 0;
    const points = first === -1 ? [] : this.#batches.slice(first).flatMap(pointsOf);
    return point ? pointsAfter(points, point) : points;
  }

  prefix(): PackedPrefix {
    const runs = [...this.#batches];
    // What comes behind them may join the last.
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
  const found: Point[] = [];
  let begin = 0;
  for (const run of runs) {
    const end = begin + run.count;
    if (begin >= from + count) break;
    if (end > from) {
      const points = pointsOf(run);
      const until = Math.min(run.count, from + count - begin);
      for (let index = Math.max(0, from - begin); index < until; index++) {
        const point = points[index];
        if (point) found.push(point);
      }
    }
    begin = end;
  }
  return found;
}

function pointsOf(run: PackedBatch): Point[] {
  return "points" in run ? run.points : decodePoints(run.bytes);
}

function toBatches(points: Point[]): PackedBatch[] {
  const last = points.at(-1);
  return last ? [{ count: points.length, last, points }] : [];
}
