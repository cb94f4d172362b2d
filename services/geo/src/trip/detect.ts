import { MINUTE_MS } from "#shared/time/duration.ts";
import type { Movement, RunningTrip, Slow, Trip, TripRules, TripState } from "../object/trip.ts";
import { boundsAround, extendBounds, joinBounds, wrapBounds } from "../point/bounds.ts";
import { measureStep, type Step } from "../point/measured.ts";
import type { Point } from "../point/point.ts";

/** Advances `state` by the next point in time order; answers the trip that the point shows to have ended. */
export function advanceTrips(
  state: TripState,
  point: Point,
  rules: TripRules,
  step = measureStep(state.last, point),
): Trip | null {
  const { last } = state;
  const afterGap = last === null || point.time - last.time > rules.gapMs;
  let ended = afterGap ? endTrip(state) : null;
  if (point.inputs !== null) state.ignition = (point.inputs & IGNITION) !== 0;
  state.begun ??= point.time;

  const fast = step.speedKmh >= rules.idle_speed_threshold && !(watchesMotion(rules) && motionOf(point) === false);
  if (state.trip && fast) {
    // The stop may have been too long although no slow point says so: the last slow point counts until this one.
    if (state.trip.slow && point.time - state.trip.slow.since >= idleMs(rules)) ended = endTrip(state);
    else extendTrip(state.trip, point, step);
  } else if (state.trip?.guessed) {
    state.trip = null;
  } else if (state.trip) {
    extendStop(state.trip, point, step);
    const off = rules.ignition_aware && state.ignition === false;
    if (off || point.time - state.trip.end_time >= idleMs(rules)) ended = endTrip(state);
  }
  if (!state.trip && fast && !(rules.ignition_aware && state.ignition === false)) {
    state.trip = startTrip(point, step, afterGap ? null : last, afterGap);
  }
  setLastPoint(state, point, step.speedKmh);
  return ended;
}

/** Changes the object in place, as this runs for every point of every device. */
function setLastPoint(state: TripState, { time, lat, lng, gsm_lbs }: Point, speed: number) {
  const { last } = state;
  if (!last) {
    state.last = { time, lat, lng, speed, lbs: gsm_lbs };
    return;
  }
  last.time = time;
  last.lat = lat;
  last.lng = lng;
  last.speed = speed;
  last.lbs = gsm_lbs;
}

/** The trip under way up to its last fast point; null: none. */
export function runningTrip({ trip }: TripState): Trip | null {
  return trip && toTrip(trip);
}

/** The tracker's movement at `now`, on the devices' clock. */
export function movementOf(state: TripState, rules: TripRules, now: number): Movement | null {
  const { last, trip, begun, moved } = state;
  if (!last || begun === null) return null;
  if (!trip) return { status: "parked", since: moved ?? begun };
  const idle = trip.slow !== null && now - trip.end_time >= idleMs(rules);
  if (idle || now - last.time > rules.gapMs) return { status: "parked", since: trip.end_time };
  return trip.slow ? { status: "stopped", since: trip.slow.since } : { status: "moving", since: trip.start_time };
}

function startTrip(point: Point, step: Step, last: TripState["last"], alone: boolean): RunningTrip {
  // A speed computed from the step means that the step was driven: the trip starts at the step's start.
  const from = step.isDriven && last ? last : point;
  const trip: RunningTrip = {
    kind: "regular",
    start_time: from.time,
    start_lat: from.lat,
    start_lng: from.lng,
    end_time: from.time,
    end_lat: from.lat,
    end_lng: from.lng,
    length_meters: 0,
    max_speed_kmh: step.speedKmh,
    points: 1,
    lbs_points: (from === last ? last.lbs : point.gsm_lbs) ? 1 : 0,
    bounds: boundsAround(from.lat, from.lng),
    precision: point.precision,
    alone,
    guessed: alone && step.isDriven,
    slow: null,
  };
  if (from === last) extendTrip(trip, point, step);
  return trip;
}

function extendTrip(trip: RunningTrip, point: Point, step: Step) {
  const { slow } = trip;
  if (slow) {
    trip.length_meters += slow.length_meters;
    trip.points += slow.points;
    trip.lbs_points += slow.lbs_points;
    joinBounds(trip.bounds, slow.bounds);
    trip.slow = null;
  }
  trip.alone = false;
  trip.guessed = false;
  trip.end_time = point.time;
  trip.end_lat = point.lat;
  trip.end_lng = point.lng;
  trip.length_meters += step.meters;
  trip.max_speed_kmh = Math.max(trip.max_speed_kmh, step.speedKmh);
  trip.points += 1;
  if (point.gsm_lbs) trip.lbs_points += 1;
  extendBounds(trip.bounds, point.lat, point.lng);
}

function extendStop(trip: RunningTrip, point: Point, step: Step) {
  trip.slow ??= startStop(point);
  const { slow } = trip;
  trip.alone = false;
  slow.length_meters += step.meters;
  slow.points += 1;
  if (point.gsm_lbs) slow.lbs_points += 1;
  extendBounds(slow.bounds, point.lat, point.lng);
}

function startStop({ time, lat, lng }: Point): Slow {
  return { since: time, length_meters: 0, points: 0, lbs_points: 0, bounds: boundsAround(lat, lng) };
}

function endTrip(state: TripState): Trip | null {
  const { trip } = state;
  if (!trip) return null;
  state.trip = null;
  state.moved = trip.end_time;
  return toTrip(trip);
}

function toTrip({ alone, guessed, slow, ...trip }: RunningTrip): Trip {
  if (!alone) return { ...trip, bounds: wrapBounds(trip.bounds), precision: null };
  return { ...trip, bounds: wrapBounds(trip.bounds), kind: "single_report" };
}

/** The motion sensor counts only if the ignition does not. */
function watchesMotion(rules: TripRules) {
  return rules.motion_sensor_aware && !rules.ignition_aware;
}

/** Null if the device reports no motion. Senders use two names for it. */
function motionOf({ attributes }: Point): boolean | null {
  const value = attributes?.motion ?? attributes?.is_moving;
  if (value === undefined) return null;
  return value === true || value === "true" || value === 1 || value === "1";
}

function idleMs(rules: TripRules) {
  return rules.min_idle_duration_minutes * MINUTE_MS;
}

/** Bit of input 1, the ignition. */
const IGNITION = 1;
