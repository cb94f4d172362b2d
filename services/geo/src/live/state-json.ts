import type { FollowedTracker, StateFormat } from "#shared/contract/live.ts";
import { writerOf } from "#shared/operation/parameters.ts";
import { clockOf } from "#shared/time/clock.ts";
import type { TrackerCondition } from "../object/feed.ts";
import { TrackerState } from "./state/schema.ts";
import { toTrackerState } from "./state/tracker-state.ts";

/** A tracker with the condition that its feed answered at `now`. */
export type TrackerSnapshot = { tracker: FollowedTracker; condition: TrackerCondition; now: number };

/** A tracker's state as JSON, with times of the given zone. */
export function stateToJson(
  { tracker, condition, now }: TrackerSnapshot,
  format: StateFormat,
  time_zone: string,
): string {
  const state = toTrackerState(tracker, condition, now);
  const members = format === "full" ? state : compact(state);
  const write = writerOf(TrackerState);
  return JSON.stringify(write ? write(members, clockOf({}, time_zone, false)) : members);
}

function compact(state: TrackerState) {
  const { gsm, battery_level, battery_update, inputs, inputs_update, outputs, outputs_update, ...rest } = state;
  const { additional, actual_track_update, ...members } = rest;
  return members;
}
