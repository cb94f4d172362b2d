import type { CutChunk } from "../chunk/plan.ts";
import type { PointMemory } from "../journal/point-memory.ts";
import { type Movement, type NumberedTrip, type TripRules, type TripState, tripStart } from "../object/trip.ts";
import { measureStep } from "../point/measured.ts";
import { comparePoints, type Identity, lowerBound, type Point } from "../point/point.ts";
import { advanceTrips, movementOf, runningTrip } from "./detect.ts";
import type { TripStore } from "./trip-store.ts";

/**
 * The tracker's movement and the trip under way. New points are evaluated when a caller reads, or before they leave the
 * memory: usually by a flush, which has them decoded with their distances.
 */
export class CurrentTrip {
  #memory: PointMemory;
  #trips: TripStore;
  #rules: () => TripRules;
  /** The state after the last evaluated point. */
  #state: TripState = tripStart();
  #tripId: number | undefined;
  /** True if points after that one may exist. */
  #hasUnprocessed = false;

  constructor(memory: PointMemory, trips: TripStore, rules: () => TripRules) {
    this.#memory = memory;
    this.#trips = trips;
    this.#rules = rules;
  }

  /** Notes that points were added in order. */
  noteNewPoints() {
    this.#hasUnprocessed = true;
  }

  /** Sets the state that a recomputation found with all points. */
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

  /** Evaluates all new points; to be called before trips change or points leave the memory. */
  catchUp() {
    if (!this.#hasUnprocessed) return;
    this.#hasUnprocessed = false;
    const rules = this.#rules();
    for (const point of this.#memory.after(this.#state.last)) this.#advance(point, rules);
  }

  /** Evaluates points of chunks that are about to be written, skipping those evaluated already. */
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

  /** Evaluates one point: it continues, ends or begins the trip under way. */
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
