import type { TripTimes } from "../track/track.ts";

/** How many seconds of the past pass in one second of a replay. */
export const RATES = [1, 5, 10, 30, 60, 120, 300] as const;

type Listener = (time: number) => void;

/**
 * The moment that map, graph and timeline show. While it plays, the moment follows from the time that has passed since it was
 * started, so that a slow device skips frames and does not play more slowly. Callers pass `now`, in ms of any clock.
 */
export class ReplayClock {
  #range: TripTimes = { from: 0, to: 0 };
  #skipped: readonly TripTimes[] = [];
  #time = 0;
  #rate = 60;
  /** The moment and the clock's reading at the start, or at the last change while it plays. */
  #anchor: { time: number; now: number } | undefined;
  #listeners = new Set<Listener>();

  get time() {
    return this.#time;
  }

  get range() {
    return this.#range;
  }

  get rate() {
    return this.#rate;
  }

  get isPlaying() {
    return this.#anchor !== undefined;
  }

  /** Takes another period, and stops at `time` in it. */
  setRange(range: TripTimes, time: number) {
    this.#range = range;
    this.#anchor = undefined;
    this.#show(time);
  }

  /** Sets the periods that a replay leaves out, sorted and without overlaps. */
  setSkipped(skipped: readonly TripTimes[], now: number) {
    this.tick(now);
    this.#skipped = skipped;
    this.#setAnchor(now);
  }

  setRate(rate: number, now: number) {
    this.tick(now);
    this.#rate = rate;
    this.#setAnchor(now);
    this.#notify();
  }

  /** Starts; at the end of the period from its beginning. */
  play(now: number) {
    if (this.#time >= this.#range.to) this.#time = this.#range.from;
    this.#anchor = { time: this.#time, now };
    this.#notify();
  }

  pause(now: number) {
    this.tick(now);
    this.#anchor = undefined;
    this.#notify();
  }

  seek(time: number, now: number) {
    this.#time = this.#limit(time);
    this.#setAnchor(now);
    this.#notify();
  }

  /** Shows the moment of `now`. At the end of the period it stops. */
  tick(now: number) {
    if (!this.#anchor) return;
    const { time, now: since } = this.#anchor;
    const moment = advance(time, Math.max(now - since, 0) * this.#rate, this.#skipped);
    if (moment >= this.#range.to) this.#anchor = undefined;
    this.#show(moment);
  }

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #setAnchor(now: number) {
    if (this.#anchor) this.#anchor = { time: this.#time, now };
  }

  #show(time: number) {
    this.#time = this.#limit(time);
    this.#notify();
  }

  #limit(time: number) {
    return Math.min(Math.max(time, this.#range.from), this.#range.to);
  }

  #notify() {
    for (const listener of this.#listeners) listener(this.#time);
  }
}

/** The moment `ms` after another one, if the skipped periods take no time. */
export function advance(from: number, ms: number, skipped: readonly TripTimes[]): number {
  let time = from;
  let left = ms;
  for (const gap of skipped) {
    if (gap.to <= time) continue;
    const until = Math.max(gap.from - time, 0);
    if (left < until) break;
    left -= until;
    time = gap.to;
  }
  return time + left;
}

/** The periods of a range in which no trip is, if they are long enough to be worth leaving out. */
export function gapsBetween(trips: readonly TripTimes[], range: TripTimes, leastMs: number): TripTimes[] {
  const gaps: TripTimes[] = [];
  let end = range.from;
  for (const { from, to } of trips.toSorted((one, other) => one.from - other.from)) {
    if (from - end >= leastMs) gaps.push({ from: end, to: from });
    end = Math.max(end, to);
  }
  if (range.to - end >= leastMs) gaps.push({ from: end, to: range.to });
  return gaps;
}
