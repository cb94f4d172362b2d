import * as z from "zod";
import { newEntry } from "#shared/caller/audit.ts";
import { requireTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { feedOf } from "../../object/addresses.ts";
import { operation } from "../../operation.ts";

const max_radius = z.int().min(0).max(10_000);

export const readLbs = operation("/tracker/settings/lbs/read", {
  summary: "The precision, in meters, that a tracker requires of fixes by cell towers",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ max_radius }),
  errors: [204, 208],
  async run({ tracker_id }, { env, principal }) {
    const { feed } = requireTracker(await env.FLEET.trackersOf(principal, [tracker_id]), { missing: 204 });
    return { max_radius: await feedOf(env, feed.tracker_id).lbsRadiusMeters() };
  },
});

export const updateLbs = operation("/tracker/settings/lbs/update", {
  summary: "Changes the precision that a tracker requires of fixes by cell towers, for points from then on",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), max_radius }),
  output: z.object({}),
  errors: [204, 208, 219],
  async run({ tracker_id, max_radius }, { env, principal, actor }) {
    const { feed, clone } = requireTracker(await env.FLEET.trackersOf(principal, [tracker_id]), { missing: 204 });
    // A clone's device belongs to another account.
    if (clone) throw new ApiError(219);
    const entry = newEntry(actor, { is: ["lbs", "update"], entry_id: tracker_id, payload: { max_radius } });
    await feedOf(env, feed.tracker_id).setLbsRadiusMeters(max_radius, entry);
    return {};
  },
});

export const operations = [readLbs, updateLbs];
