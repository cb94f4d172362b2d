import { MINUTE_MS } from "#shared/time/duration.ts";
import type { Trip, TripRules } from "../../object/trip.ts";
import type { Step } from "../../point/measured.ts";
import type { Point } from "../../point/point.ts";
import { advanceTrips, runningTrip } from "../../trip/detect.ts";
import type { EvaluationState } from "./state.ts";

/** A trip began or ended. `parkedSince`: when the parking before it began. */
export type Movement = { kind: "start" | "end"; time: number; lat: number; lng: number; parkedSince: number | null };

/** Trips that the point shows to have ended or begun. */
export function detectMovements(
  state: EvaluationState,
  point: Point,
  step: Step,
  rules: TripRules,
): readonly Movement[] {
  // The step starts at the previous point, which the trip may not know.
  const ended = advanceTrips(state.trip, point, rules, state.trip.last ? step : undefined);
  const ends = ended ? stopMovement(state, ended) : NO_MOVEMENTS;
  const starts = state.isDriving ? NO_MOVEMENTS : startMovement(state);
  // At the very first point the vehicle is parked.
  if (!state.isDriving) state.parked ??= { time: point.time, lat: point.lat, lng: point.lng };
  return starts.length === 0 ? ends : [...ends, ...starts];
}

/** The end of a trip that time alone shows by `until`. */
export function detectOverdueStop(state: EvaluationState, until: number, rules: TripRules): readonly Movement[] {
  const due = parkingDueTime(state, rules);
  return due !== null && due <= until ? stopMovement(state, runningTrip(state.trip)) : NO_MOVEMENTS;
}

/** When a stop or a silence becomes a parking; null: the vehicle is parked already. */
export function parkingDueTime({ isDriving, trip: { trip, last } }: EvaluationState, rules: TripRules): number | null {
  if (!isDriving || !trip || !last) return null;
  const silent = last.time + rules.gapMs + 1;
  const stopped = trip.slow ? trip.slow.since + rules.min_idle_duration_minutes * MINUTE_MS : silent;
  return Math.min(silent, stopped);
}

function startMovement(state: EvaluationState): readonly Movement[] {
  const { trip } = state.trip;
  if (!trip || trip.alone) return NO_MOVEMENTS;
  const { start_time: time, start_lat: lat, start_lng: lng } = trip;
  const parkedSince = state.parked?.time ?? null;
  state.isDriving = true;
  state.parked = null;
  return [{ kind: "start", time, lat, lng, parkedSince }];
}

function stopMovement(state: EvaluationState, ended: Trip | null): readonly Movement[] {
  if (!ended || !state.isDriving) return NO_MOVEMENTS;
  const { end_time: time, end_lat: lat, end_lng: lng } = ended;
  state.isDriving = false;
  state.parked = { time, lat, lng };
  return [{ kind: "end", time, lat, lng, parkedSince: null }];
}

export const NO_MOVEMENTS: readonly Movement[] = [];
