import { MINUTE_MS } from "#shared/time/duration.ts";
import type { Trip, TripRules } from "../../object/trip.ts";
import type { Step } from "../../point/measured.ts";
import type { Point } from "../../point/point.ts";
import { advanceTrips, runningTrip } from "../../trip/detect.ts";
import type { EvaluationState } from "./state.ts";

/** A trip began, or ended; `parked`: since when the vehicle had stood before it began. */
export type Movement = { is: "start" | "end"; time: number; lat: number; lng: number; parked: number | null };

/** The ends and beginnings of trips that the point shows. */
export function movementsAt(state: EvaluationState, point: Point, step: Step, rules: TripRules): readonly Movement[] {
  // The step leads from the point before, which a trip may know nothing of.
  const ended = advanceTrips(state.trip, point, rules, state.trip.last ? step : undefined);
  const ends = ended ? parkedAfter(state, ended) : NO_MOVEMENTS;
  const starts = state.driving ? NO_MOVEMENTS : startedBy(state);
  // The very first point finds the vehicle where it stands.
  if (!state.driving) state.parked ??= { time: point.time, lat: point.lat, lng: point.lng };
  // Most points show neither.
  return starts.length === 0 ? ends : [...ends, ...starts];
}

/** That the vehicle stands since its trip's last fast point, where time alone shows it by `until`. */
export function movementsBy(state: EvaluationState, until: number, rules: TripRules): readonly Movement[] {
  const due = parkingDue(state, rules);
  return due !== null && due <= until ? parkedAfter(state, runningTrip(state.trip)) : NO_MOVEMENTS;
}

/** When a stop, or a silence, will have become a parking; null: it is one already. */
export function parkingDue({ driving, trip: { trip, last } }: EvaluationState, rules: TripRules): number | null {
  if (!driving || !trip || !last) return null;
  const silent = last.time + rules.gapMs + 1;
  const stopped = trip.slow ? trip.slow.since + rules.min_idle_duration_minutes * MINUTE_MS : silent;
  return Math.min(silent, stopped);
}

function startedBy(state: EvaluationState): readonly Movement[] {
  const { trip } = state.trip;
  if (!trip || trip.alone) return NO_MOVEMENTS;
  const { start_time: time, start_lat: lat, start_lng: lng } = trip;
  const parked = state.parked?.time ?? null;
  state.driving = true;
  state.parked = null;
  return [{ is: "start", time, lat, lng, parked }];
}

function parkedAfter(state: EvaluationState, ended: Trip | null): readonly Movement[] {
  if (!ended || !state.driving) return NO_MOVEMENTS;
  const { end_time: time, end_lat: lat, end_lng: lng } = ended;
  state.driving = false;
  state.parked = { time, lat, lng };
  return [{ is: "end", time, lat, lng, parked: null }];
}

export const NO_MOVEMENTS: readonly Movement[] = [];
