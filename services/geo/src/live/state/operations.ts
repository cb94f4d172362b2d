import * as z from "zod";
import { requireTracker, type VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import type { GeoEnv } from "../../env.ts";
import { feedOf } from "../../object/addresses.ts";
import { operation } from "../../operation.ts";
import { LastGpsPoint, TrackerState } from "./schema.ts";
import { toLastGpsPoint, toTrackerState } from "./tracker-state.ts";

export const getState = operation("/tracker/get_state", {
  summary: "The current state of a tracker",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ user_time: dateTime(), state: TrackerState }),
  errors: [201, 208],
  async run({ tracker_id }, { env, principal, clock }) {
    const tracker = requireTracker(await env.FLEET.trackersOf(principal, [tracker_id]), { missing: 201 });
    const now = clock.now();
    return { user_time: now, state: await stateOf(tracker, env, now) };
  },
});

export const getStates = operation("/tracker/get_states", {
  summary: "The current states of trackers",
  reads: true,
  input: z.object({
    trackers: z.array(z.int()).max(2000),
    list_blocked: z.boolean().default(false),
    allow_not_exist: z.boolean().default(false),
  }),
  output: z.object({
    user_time: dateTime(),
    states: z.record(z.string(), TrackerState),
    blocked: z.array(z.int()).optional(),
    not_exist: z.array(z.int()).optional(),
  }),
  errors: [208, 217],
  async run({ trackers, list_blocked, allow_not_exist }, { env, principal, clock }) {
    const ids = [...new Set(trackers)];
    const trackersById = new Map(
      (await env.FLEET.trackersOf(principal, ids)).map((tracker) => [tracker.tracker_id, tracker]),
    );
    const not_exist = ids.filter((id) => !trackersById.has(id));
    if (not_exist.length > 0 && !allow_not_exist) throw new ApiError(217);
    const blocked = ids.filter((id) => trackersById.get(id)?.blocked);
    if (blocked.length > 0 && !list_blocked) throw new ApiError(208);
    const usable = ids.flatMap((id) => trackersById.get(id) ?? []).filter((tracker) => !tracker.blocked);
    const now = clock.now();
    return {
      user_time: now,
      states: await statesOf(usable, env, now),
      ...(list_blocked ? { blocked } : {}),
      ...(allow_not_exist ? { not_exist } : {}),
    };
  },
});

export const getLastGpsPoint = operation("/tracker/get_last_gps_point", {
  summary: "The last point of a tracker by satellite",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ value: LastGpsPoint.nullable() }),
  errors: [201, 208],
  async run({ tracker_id }, { env, principal }) {
    const tracker = requireTracker(await env.FLEET.trackersOf(principal, [tracker_id]), { missing: 201 });
    return { value: toLastGpsPoint(await feedOf(env, tracker.feed.tracker_id).lastGpsPoint()) };
  },
});

export const operations = [getState, getStates, getLastGpsPoint];

/** In waves, so that two thousand feeds do not wake up at once. */
async function statesOf(trackers: VisibleTracker[], env: GeoEnv, now: number) {
  const states: [number, TrackerState][] = [];
  for (let start = 0; start < trackers.length; start += FEEDS_PER_WAVE) {
    const wave = trackers.slice(start, start + FEEDS_PER_WAVE).map(async (tracker): Promise<[number, TrackerState]> => {
      return [tracker.tracker_id, await stateOf(tracker, env, now)];
    });
    states.push(...(await Promise.all(wave)));
  }
  return Object.fromEntries(states);
}

async function stateOf(tracker: VisibleTracker, env: GeoEnv, now: number) {
  return toTrackerState(tracker, await feedOf(env, tracker.feed.tracker_id).state(now), now);
}

const FEEDS_PER_WAVE = 100;
