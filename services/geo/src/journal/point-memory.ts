import type { TimeRange } from "#shared/contract/tracker/stored-range.ts";
import { lastOf } from "../chunk/plan.ts";
import type { GeoEnv } from "../env.ts";
import type { SharedLine } from "../object/shared-journal.ts";
import { decodePoints } from "../point/codec.ts";
import type { Facts } from "../point/facts.ts";
import {
  comparePoints,
  type Identity,
  lowerBound,
  mergePoints,
  type Point,
  pointsAfter,
  pointsWithin,
  withoutRepeats,
} from "../point/point.ts";
import { PointBatch } from "../point/point-batch.ts";
import { Journal, type JournalEntry } from "./journal.ts";
import type { LastState } from "./last-state.ts";
import { PackedPoints, type PackedPrefix } from "./packed-points.ts";
import { SharedLines } from "./shared-lines.ts";
import type { StoredChunks } from "./stored-chunks.ts";

/** The time range of the late points, and the number of points in order. */
export type AddedPoints = { late: TimeRange | null; inOrder: number };
/**
 * Open points and points ahead of the clock at one moment, with the journal's last row and the shared lines that hold
 * them.
 */
export type Snapshot = { open: PackedPrefix; ahead: Point[]; row: number; shared: number[] };

/**
 * The sorted open points and, apart from them, points ahead of the clock, which trips, rules and state ignore until the
 * clock reaches them. All of them are also in the feed's own journal or in the shared one.
 */
export class PointMemory {
  readonly shared: SharedLines;
  #journal: Journal;
  #stored: StoredChunks;
  #state: LastState;
  #open = new PackedPoints();
  #ahead: Point[] = [];
  #aheadMs: number;
  #compactAtRows = MAX_JOURNAL_ROWS;

  constructor(ctx: DurableObjectState, env: GeoEnv, stored: StoredChunks, state: LastState) {
    this.#journal = new Journal(ctx.storage.sql);
    this.shared = new SharedLines(ctx, env);
    this.#stored = stored;
    this.#state = state;
    this.#aheadMs = Number(env.AHEAD_SECONDS) * 1000;
  }

  get open(): Point[] {
    return this.#open.all;
  }

  get count(): number {
    return this.#open.length;
  }

  /** Open points and those ahead of the clock. */
  get all(): Point[] {
    return mergePoints(this.open, this.#ahead);
  }

  get isFull() {
    return this.#open.length > MAX_OPEN_POINTS;
  }

  /** Whether so many more points ahead of the clock fit. */
  canHoldAhead(count: number) {
    return count === 0 || this.#ahead.length + count <= MAX_AHEAD_POINTS;
  }

  /** True if no request waits for a flush, not even one without points. */
  get isEmpty() {
    return this.#journal.rows === 0 && this.shared.numbers.length === 0;
  }

  /** Restores points and state from both journals after a restart. */
  restore(now: number, shared: SharedLine[]) {
    const points: Point[] = [];
    const entries = [...this.#journal.entries(), ...shared.map(toEntry)];
    for (const entry of entries.sort((one, other) => one.received - other.received)) {
      for (const point of entry.points) points.push(point);
      this.#state.observePoints(entry.received, this.#dueOf(entry.points, now));
      this.#state.observeMessage(entry.received, entry.facts);
    }
    const all = withoutRepeats(points.sort(comparePoints));
    this.#open.replace(this.#dueOf(all, now));
    this.#ahead = all.slice(this.#open.length);
  }

  /** The points that the clock has reached, with a tolerance of `AHEAD_SECONDS`. */
  due(sent: PointBatch, now: number): PointBatch {
    const { last } = sent;
    return !last || last.time <= now + this.#aheadMs ? sent : PointBatch.of(this.#dueOf(sent.points, now));
  }

  /** Removes and answers points that the clock has reached; the caller adds them to the open ones. */
  removeDue(now: number): Point[] {
    const due = this.#ahead.length === 0 ? this.#ahead : this.#dueOf(this.#ahead, now);
    if (due.length > 0) this.#ahead = this.#ahead.slice(due.length);
    return due;
  }

  /** Drops points that are stored already, as far as the loaded identities tell. */
  withoutStored(sent: PointBatch): PointBatch {
    const { first } = sent;
    const last = this.last();
    // The usual case: points in order.
    const isBehind = first !== null && (!last || comparePoints(first, last) > 0) && this.#ahead.length === 0;
    if (isBehind && sent.isPlain) return sent;
    const once = withoutRepeats(sent.points);
    const fresh = isBehind ? once : once.filter((point) => !this.#isStored(point));
    return fresh.length === sent.count ? sent : PointBatch.of(fresh);
  }

  append(received: number, facts: Facts | null, sent: PointBatch) {
    this.#journal.append(received, facts, sent);
  }

  /** Moves needed points of these shared lines into the feed's own journal. Not to be called during a flush. */
  moveSharedLines(numbers: number[], now: number) {
    if (this.shared.numbers.some((number) => numbers.includes(number))) this.#compact(now);
  }

  add(fresh: PointBatch): AddedPoints {
    const { first, count } = fresh;
    const last = this.last();
    if (!first || !last || comparePoints(first, last) > 0) {
      this.#open.push(fresh);
      return { late: null, inOrder: count };
    }
    const inOrder = pointsAfter(fresh.points, last);
    const late = fresh.points.slice(0, count - inOrder.length);
    this.#open.insert(late);
    this.#open.push(PointBatch.of(inOrder));
    return { late: { from: first.time, to: late.at(-1)?.time ?? first.time }, inOrder: inOrder.length };
  }

  /** Whether these points are late is decided when the clock reaches them. */
  addAhead(fresh: Point[]) {
    if (fresh.length > 0) this.#ahead = mergePoints(this.#ahead, fresh);
  }

  /** The last point, open or stored. */
  last(): Identity | null {
    const lastOpen = this.#open.last;
    const stored = this.#stored.catalogue.lastIdentity();
    if (!lastOpen || !stored) return lastOpen ?? stored;
    return comparePoints(lastOpen, stored) > 0 ? lastOpen : stored;
  }

  /** The last point before the time, as far as it is known without reading chunks. */
  lastBefore(time: number): Identity | null {
    const open = this.#open.lastBefore(time);
    const chunk = this.#stored.catalogue.all().findLast(({ to }) => to < time);
    const stored = chunk ? lastOf(chunk) : null;
    const newest = !open || !stored || comparePoints(open, stored) > 0 ? (open ?? stored) : stored;
    return newest && { time: newest.time, lat: newest.lat, lng: newest.lng };
  }

  /** Open points after this one, null: all. The list keeps them encoded. */
  after(point: Identity | null): Point[] {
    return this.#open.after(point);
  }

  /** The index of the first open point after this one. */
  indexAfter(point: Identity): number {
    const { open } = this;
    const position = lowerBound(open, point);
    const there = open[position];
    return there && comparePoints(there, point) === 0 ? position + 1 : position;
  }

  /** Not to be called during a flush. */
  compactWhenLong(now: number) {
    if (this.#journal.rows >= this.#compactAtRows || this.shared.isFull) this.#compact(now);
  }

  snapshot(): Snapshot {
    return {
      open: this.#open.prefix(),
      ahead: this.#ahead,
      row: this.#journal.closeLastRow(),
      shared: [...this.shared.numbers],
    };
  }

  /** Removes points that a flush has stored in chunks. */
  drop({ open, ahead, row, shared }: Snapshot) {
    this.#open.drop(open);
    this.#state.store();
    this.#journal.deleteUntil(row, this.#state.current.last_message ?? 0, ahead);
    this.shared.release(shared);
    this.#compactAtRows = this.#journal.rows + MAX_JOURNAL_ROWS;
  }

  #dueOf(points: Point[], now: number): Point[] {
    return pointsWithin(points, Number.NEGATIVE_INFINITY, now + this.#aheadMs);
  }

  #isStored(point: Point): boolean {
    const last = this.#open.last;
    const isOpen = last !== null && comparePoints(point, last) <= 0 && includesPoint(this.open, point);
    return isOpen || includesPoint(this.#ahead, point) || this.#stored.holds(point);
  }

  #compact(now: number) {
    this.#state.store();
    this.#journal.compact(now, this.all);
    this.shared.release(this.shared.numbers);
    this.#compactAtRows = this.#journal.rows + MAX_JOURNAL_ROWS;
  }
}

function toEntry({ received, facts, points }: SharedLine): JournalEntry {
  return { received, facts, points: points.length > 0 ? decodePoints(points) : [] };
}

function includesPoint(points: Point[], point: Point) {
  const there = points[lowerBound(points, point)];
  return there !== undefined && comparePoints(there, point) === 0;
}

/** More than a database outage of days leaves. Beyond it the feed's memory is at risk, so it refuses points. */
const MAX_OPEN_POINTS = 100_000;
/** A device whose clock is an hour ahead and that sends each second has 3,600. */
const MAX_AHEAD_POINTS = 20_000;
/** A restart reads so many rows without noticeable delay. */
const MAX_JOURNAL_ROWS = 128;
