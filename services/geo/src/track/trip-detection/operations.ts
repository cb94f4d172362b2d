import * as z from "zod";
import { newEntry } from "#shared/caller/audit.ts";
import { requireTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { feedOf } from "../../object/addresses.ts";
import { operation } from "../../operation.ts";

const Settings = z.object({
  min_idle_duration_minutes: z.int().min(1).max(1440),
  /** km/h; 0: the tracker is never idle. */
  idle_speed_threshold: z.int().min(0).max(200),
  ignition_aware: z.boolean(),
  motion_sensor_aware: z.boolean(),
});

export const readTripDetection = operation("/tracker/settings/trip_detection/read", {
  summary: "The settings of a tracker's trip detection",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: Settings,
  errors: [204, 208],
  async run({ tracker_id }, { env, principal }) {
    const { feed } = requireTracker(await env.FLEET.trackersOf(principal, [tracker_id]), { missing: 204 });
    return feedOf(env, feed.tracker_id).settings();
  },
});

export const updateTripDetection = operation("/tracker/settings/trip_detection/update", {
  summary: "Changes the settings of a tracker's trip detection, for past trips too; what is left out stays",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), ...Settings.partial().shape }),
  output: z.object({}),
  errors: [204, 208, 219],
  async run({ tracker_id, ...changes }, { env, principal, actor }) {
    const { feed, clone } = requireTracker(await env.FLEET.trackersOf(principal, [tracker_id]), { missing: 204 });
    // A clone's device belongs to another account.
    if (clone) throw new ApiError(219);
    const object = feedOf(env, feed.tracker_id);
    const known = await object.settings();
    const settings = {
      min_idle_duration_minutes: changes.min_idle_duration_minutes ?? known.min_idle_duration_minutes,
      idle_speed_threshold: changes.idle_speed_threshold ?? known.idle_speed_threshold,
      ignition_aware: changes.ignition_aware ?? known.ignition_aware,
      motion_sensor_aware: changes.motion_sensor_aware ?? known.motion_sensor_aware,
    };
    const entry = newEntry(actor, { is: ["trip_detection", "update"], entry_id: tracker_id, payload: changes });
    await object.setSettings(settings, entry);
    return {};
  },
});

export const operations = [readTripDetection, updateTripDetection];
