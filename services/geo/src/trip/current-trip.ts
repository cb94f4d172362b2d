import type { CutChunk } from "../chunk/plan.ts";
import type { PointMemory } from "../journal/point-memory.ts";
import { type Movement, type NumberedTrip, type TripRules, type TripState, tripStart } from "../object/trip.ts";
import { measureStep } from "../point/measured.ts";
import { comparePoints, type Identity, lowerBound, type Point } from "../point/point.ts";
import { advanceTrips, movementOf, runningTrip } from "./detect.ts";
import type { TripStore } from "./trip-store.ts";

/**
 * What the tracker does now, and the trip under way. Points in order are followed when somebody reads, or before they leave
 * the memory: mostly a flush does it, which has them at hand and knows how far apart they are.
 */
export class CurrentTrip {
  #memory: PointMemory;
  #trips: TripStore;
  #rules: () => TripRules;
  /** After the points that were followed so far. */
  #state: TripState = tripStart();
  #tripId: number | undefined;
  /** There may be points behind them. */
  #hasUnprocessed = false;

  constructor(memory: PointMemory, book: TripStore, rules: () => TripRules) {
    this.#memory = memory;
    this.#trips = book;
    this.#rules = rules;
  }

  /** More points have come in order. */
  noteNewPoints() {
    this.#hasUnprocessed = true;
  }

  /** Found in another way, with all points that there are. */
  reset(state: TripState, tripId: number | undefined) {
    this.#state = state;
    this.#tripId = tripId;
    this.#hasUnprocessed = false;
  }

  trip(): NumberedTrip | null {
    this.catchUp();
    const trip = runningTrip(this.#state);
    return trip && this.#tripId !== undefined ? { ...trip, id: this.#tripId } : null;
  }

  movement(now: number): Movement | null {
    this.catchUp();
    return movementOf(this.#state, this.#rules(), now);
  }

  lastMoved(): number | null {
    this.catchUp();
    return this.#state.trip?.end_time ?? this.#state.moved;
  }

  /** For whoever changes what is known of trips, or takes points out of the memory. */
  catchUp() {
    if (!this.#hasUnprocessed) return;
    this.#hasUnprocessed = false;
    const rules = this.#rules();
    for (const point of this.#memory.after(this.#state.last)) this.#advance(point, rules);
  }

  /** The points of chunks that are about to be written, as far as nobody has followed them. */
  processChunks(pieces: CutChunk[]) {
    if (!this.#hasUnprocessed) return;
    const rules = this.#rules();
    for (const { points, distances } of pieces) {
      const { last } = this.#state;
      let index = last ? lowerBound(points, last) : 0;
      if (isSamePoint(points[index], last)) index++;
      for (; index < points.length; index++) {
        const point = points[index];
        const isNext = isSamePoint(points[index - 1], this.#state.last);
        if (point) this.#advance(point, rules, isNext ? distances[index] : undefined);
      }
    }
  }

  /** A point in order needs no look back: it only moves the trip under way on, ends it or begins one. */
  #advance(point: Point, rules: TripRules, distance?: number) {
    const before = this.#state.trip;
    const ended = advanceTrips(this.#state, point, rules, measureStep(this.#state.last, point, distance));
    if (this.#state.trip === before) return;
    if (this.#tripId !== undefined) {
      if (ended) this.#trips.put({ ...ended, id: this.#tripId });
      else this.#trips.remove(this.#tripId);
    }
    const begun = runningTrip(this.#state);
    this.#tripId = begun ? this.#trips.add(begun) : undefined;
  }
}

function isSamePoint(one: Identity | undefined, other: Identity | null): boolean {
  return one !== undefined && other !== null && comparePoints(one, other) === 0;
}
