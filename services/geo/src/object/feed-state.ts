import type { Facts } from "../point/facts.ts";
import { measureStep, reportedSpeedKmh } from "../point/measured.ts";
import { comparePoints, type Point } from "../point/point.ts";

/** The last known state of a tracker. Times are UTC milliseconds by the device's clock unless said otherwise. */
export type FeedState = {
  /** When the last message arrived, by the server's clock. */
  last_message: number | null;
  /** `speed` is the effective speed. */
  last_point: (Point & { speed: number }) | null;
  /** The last point by satellite. */
  last_fix: (Point & { speed: number }) | null;
  inputs: { mask: number; updated: number; changed: number } | null;
  ignition: { on: boolean; updated: number; changed: number } | null;
  battery: { level: number; updated: number } | null;
  additional: Record<string, { value: string; updated: number }>;
};

export function unknownState(): FeedState {
  return {
    last_message: null,
    last_point: null,
    last_fix: null,
    inputs: null,
    ignition: null,
    battery: null,
    additional: {},
  };
}

/** Updates the state by points in time order; late points are skipped, as the state never goes back. */
export function observePoints(state: FeedState, points: Point[]) {
  // Only the last point is copied into the state.
  let last: Point | null = null;
  let fix: Point | null = null;
  let [speed, fixSpeed] = [0, 0];
  for (const point of points) {
    const before: Point | null = last ?? state.last_point;
    if (before && comparePoints(point, before) <= 0) continue;
    speed = reportedSpeedKmh(point) ?? measureStep(last ? { ...last, speed } : state.last_point, point).speedKmh;
    last = point;
    if (!point.gsm_lbs) [fix, fixSpeed] = [point, speed];
    for (const name in point.attributes) observeValue(state, name, String(point.attributes[name]), point.time);
    if (point.inputs !== null) observeInputs(state, point.inputs, point.time);
  }
  if (last) state.last_point = { ...last, speed };
  if (fix) state.last_fix = { ...fix, speed: fixSpeed };
}

function observeInputs(state: FeedState, mask: number, time: number) {
  const { inputs, ignition } = state;
  state.inputs = { mask, updated: time, changed: inputs?.mask === mask ? inputs.changed : time };
  const on = (mask & 1) !== 0;
  state.ignition = { on, updated: time, changed: ignition?.on === on ? ignition.changed : time };
}

export function observeFacts(state: FeedState, { time, battery_level, additional = {} }: Facts) {
  if (battery_level !== undefined && time >= (state.battery?.updated ?? 0)) {
    state.battery = { level: battery_level, updated: time };
  }
  for (const [name, value] of Object.entries(additional)) observeValue(state, name, value, time);
}

function observeValue(state: FeedState, name: string, value: string, time: number) {
  const known = state.additional[name];
  // Bounds the number of names, which a device may invent.
  if (!known && Object.keys(state.additional).length >= MAX_NAMES) return;
  if (!known || time >= known.updated) state.additional[name] = { value, updated: time };
}

const MAX_NAMES = 100;
