import { z } from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { requireTracker, requireTrackers } from "#shared/contract/visible-tracker.ts";
import type { Database } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import type { FleetEnv } from "../../env.ts";
import { operation } from "../../operation.ts";
import { STATUS_ORIGINS, type StatusChangeRow } from "../../table/status-change.ts";
import { addressed, lastPlace } from "../../tracker/last-place.ts";
import { selectVisible } from "../../tracker/queries.ts";
import { Status } from "../schema.ts";
import { changeTrackerStatus, type Reading, selectReadings } from "./queries.ts";

export const Change = z.object({
  id: z.int(),
  old_status_id: z.int().nullable(),
  new_status_id: z.int().nullable(),
  location: z.object({ lat: z.number(), lng: z.number(), address: z.string() }).nullable(),
  changed: dateTime(),
  origin: z.enum(STATUS_ORIGINS),
});
const Shown = z.object({ current_status: Status.nullable(), last_change: Change.nullable() });

export const assignStatus = operation("/status/tracker/assign", {
  summary: "Changes a tracker's work status to one of its list; 13 when that is not for supervisors",
  right: "tracker_update",
  feature: "statuses",
  input: z.object({ tracker_id: z.int(), new_status_id: z.int() }),
  output: z.object({ last_change: Change }),
  errors: [13, 201, 204, 208, 219, 236, 263],
  async run({ tracker_id, new_status_id: status_id }, { db, env, principal, clock, actor }) {
    const found = await selectVisible(db, principal, [tracker_id]);
    const tracker = requireTracker(found, { missing: 204, feature: "statuses" });
    if (tracker.clone) throw new ApiError(219);
    const place = await lastPlace(env, tracker);
    const assigned = { tracker_id, status_id, place, changed: clock.now() };
    const [change, [shown]] = await Promise.all([
      changeTrackerStatus(db, principal, assigned, actor),
      addressed(env, principal, [{ location: place }]),
    ]);
    return { last_change: { ...toChange(change), ...shown } };
  },
});

export const readTrackerStatus = operation("/status/tracker/read", {
  summary: "A tracker's work status, and the last change of it",
  feature: "statuses",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: Shown,
  errors: [201, 208, 219, 236],
  async run({ tracker_id }, { db, env, principal }) {
    const [found, readings] = await visibleWithReadings(db, principal, [tracker_id]);
    if (requireTracker(found, { missing: 201, feature: "statuses" }).clone) throw new ApiError(219);
    const [shown] = await shownOf(env, principal, readings);
    if (!shown) throw new ApiError(201);
    return shown[1];
  },
});

export const listTrackerStatuses = operation("/status/tracker/list", {
  summary: "The work statuses of trackers, by their ids",
  feature: "statuses",
  reads: true,
  input: z.object({ trackers: z.array(z.int()).max(10_000) }),
  output: z.object({ value: z.record(z.string(), Shown) }),
  errors: [217, 221, 236],
  async run({ trackers }, { db, env, principal }) {
    const [found, readings] = await visibleWithReadings(db, principal, trackers);
    requireTrackers(found, trackers);
    if (found.some(({ features }) => !features.includes("statuses"))) throw new ApiError(236);
    return { value: Object.fromEntries(await shownOf(env, principal, readings)) };
  },
});

export const operations = [assignStatus, readTrackerStatus, listTrackerStatuses];

/** Side by side: addresses take another trip. */
function visibleWithReadings(db: Database, principal: Principal, trackers: number[]) {
  return Promise.all([selectVisible(db, principal, trackers), selectReadings(db, principal, trackers)]);
}

async function shownOf(env: FleetEnv, principal: Principal, readings: Reading[]) {
  const changes = readings.flatMap(({ last_change }) => last_change ?? []);
  const shown = new Map((await addressed(env, principal, changes)).map((change) => [change.tracker_id, change]));
  return readings.map(({ tracker_id, current_status }) => {
    const change = shown.get(tracker_id);
    return [String(tracker_id), { current_status, last_change: change ? toChange(change) : null }] as const;
  });
}

function toChange({ account_id, tracker_id, ...change }: StatusChangeRow): z.output<typeof Change> {
  return change;
}
