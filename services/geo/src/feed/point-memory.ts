import { lastOf } from "../chunk/plan.ts";
import {
  comparePoints,
  type Identity,
  mergePoints,
  type Point,
  positionOf,
  withoutPoints,
  withoutRepeats,
} from "../point/point.ts";
import { Journal } from "./journal.ts";
import type { LastState } from "./last-state.ts";
import type { Facts } from "./state.ts";
import type { StoredChunks } from "./stored-chunks.ts";
import type { Stretch } from "./stretch.ts";

/** The stretch into which points came late, and those that came in order. */
export type AddedPoints = { late: Stretch | null; inOrder: Point[] };
/** What is open at a moment, and the row of the journal up to which it reaches. */
export type Snapshot = { points: Point[]; row: number };

/** The open points, sorted; what is in this memory is in the journal. */
export class PointMemory {
  #journal: Journal;
  #stored: StoredChunks;
  #state: LastState;
  #open: Point[] = [];
  #compactFrom = COMPACT_ROWS;

  constructor({ sql }: DurableObjectStorage, stored: StoredChunks, state: LastState) {
    this.#journal = new Journal(sql);
    this.#stored = stored;
    this.#state = state;
  }

  get open(): Point[] {
    return this.#open;
  }

  get isFull() {
    return this.#open.length > MOST_OPEN;
  }

  /** Nothing waits to be flushed, not even what a device told beside points. */
  get isEmpty() {
    return this.#journal.rows === 0;
  }

  /** Reads the journal back; everything else that is in memory follows from it. */
  restore() {
    const points: Point[] = [];
    for (const entry of this.#journal.entries()) {
      for (const point of entry.points) points.push(point);
      this.#state.observe(entry.received, entry.facts, entry.points);
    }
    this.#open = withoutRepeats(points.sort(comparePoints));
  }

  /** Those that are stored nowhere yet, as far as that is known. */
  freshOf(points: Point[]): Point[] {
    const lastOpen = this.#open.at(-1);
    return withoutRepeats(points).filter((point) => {
      if (lastOpen && comparePoints(point, lastOpen) <= 0) {
        const there = this.#open[positionOf(this.#open, point)];
        if (there && comparePoints(there, point) === 0) return false;
      }
      return !this.#stored.holds(point);
    });
  }

  /** `bytes` are the points in their raw form where the caller has them. */
  append(received: number, facts: Facts | null, points: Point[], bytes: Uint8Array | undefined) {
    this.#journal.append(received, facts, points, bytes);
  }

  add(fresh: Point[]): AddedPoints {
    const last = this.last();
    const first = last ? fresh.findIndex((point) => comparePoints(point, last) > 0) : 0;
    const late = first === -1 ? fresh : fresh.slice(0, first);
    const inOrder = fresh.slice(late.length);
    const [firstLate, lastLate] = [late[0], late.at(-1)];
    if (firstLate && lastLate) this.#open = mergePoints(this.#open, late);
    for (const point of inOrder) this.#open.push(point);
    return { late: firstLate && lastLate ? { from: firstLate.time, to: lastLate.time } : null, inOrder };
  }

  /** Of the open points and those of the chunks. */
  last(): Identity | null {
    const lastOpen = this.#open.at(-1);
    const lastChunk = this.#stored.catalogue.last();
    const stored = lastChunk && lastOf(lastChunk);
    if (!lastOpen || !stored) return lastOpen ?? stored;
    return comparePoints(lastOpen, stored) > 0 ? lastOpen : stored;
  }

  /** The index of the first open point behind this one. */
  positionAfter(point: Identity): number {
    const position = positionOf(this.#open, point);
    const there = this.#open[position];
    return there && comparePoints(there, point) === 0 ? position + 1 : position;
  }

  compactWhenLong(now: number) {
    if (this.#journal.rows < this.#compactFrom) return;
    this.#state.store();
    this.#journal.compact(now, this.#open);
    this.#compactFrom = this.#journal.rows + COMPACT_ROWS;
  }

  snapshot(): Snapshot {
    return { points: [...this.#open], row: this.#journal.lastRow() };
  }

  /** For what is in the chunks by now. */
  drop({ points, row }: Snapshot) {
    this.#open = withoutPoints(this.#open, points);
    this.#state.store();
    this.#journal.dropUntil(row);
    this.#compactFrom = this.#journal.rows + COMPACT_ROWS;
  }
}

/** More than the database's absence of days can leave: then a feed's memory is at stake. */
const MOST_OPEN = 100_000;
/** Rows of the journal that are read back without delay. */
const COMPACT_ROWS = 128;
