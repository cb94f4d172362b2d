import { MINUTE_MS } from "#shared/time/duration.ts";
import type { Trip, TripRules } from "../../object/trip.ts";
import type { Step } from "../../point/measured.ts";
import type { Point } from "../../point/point.ts";
import { advanceTrips, runningTrip } from "../../trip/detect.ts";
import type { EvaluationState } from "./state.ts";

/** A trip began, or ended; `parked`: since when the vehicle had stood before it began. */
export type Movement = { kind: "start" | "end"; time: number; lat: number; lng: number; parkedSince: number | null };

/** The ends and beginnings of trips that the point shows. */
export function detectMovements(state: EvaluationState, point: Point, step: Step, rules: TripRules): readonly Movement[] {
  // The step leads from the point before, which a trip may know nothing of.
  const ended = advanceTrips(state.trip, point, rules, state.trip.last ? step : undefined);
  const ends = ended ? stopMovement(state, ended) : NO_MOVEMENTS;
  const starts = state.isDriving ? NO_MOVEMENTS : startMovement(state);
  // The very first point finds the vehicle where it stands.
  if (!state.isDriving) state.parked ??= { time: point.time, lat: point.lat, lng: point.lng };
  // Most points show neither.
  return starts.length === 0 ? ends : [...ends, ...starts];
}

/** That the vehicle stands since its trip's last fast point, where time alone shows it by `until`. */
export function detectOverdueStop(state: EvaluationState, until: number, rules: TripRules): readonly Movement[] {
  const due = parkingDueTime(state, rules);
  return due !== null && due <= until ? stopMovement(state, runningTrip(state.trip)) : NO_MOVEMENTS;
}

/** When a stop, or a silence, will have become a parking; null: it is one already. */
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
