import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { requireTracker, requireTrackers } from "#shared/contract/tracker/visible-tracker.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { dateTime } from "#shared/operation/fields.ts";
import type { FleetEnv } from "../../env.ts";
import { operation } from "../../operation.ts";
import { STATUS_ORIGINS, type StatusChangeRow } from "../../table/work-status/status-change.ts";
import { addAddresses, fetchLastPosition } from "../../tracker/last-position.ts";
import { selectVisible } from "../../tracker/queries.ts";
import { Status } from "../schema.ts";
import { changeTrackerStatuses, selectTrackerStatuses, type TrackerStatusRow } from "./queries.ts";

export const StatusChange = z.object({
  id: z.int(),
  old_status_id: z.int().nullable(),
  new_status_id: z.int().nullable(),
  location: z.object({ lat: z.number(), lng: z.number(), address: z.string() }).nullable(),
  changed: dateTime(),
  origin: z.enum(STATUS_ORIGINS),
});
const TrackerStatus = z.object({ current_status: Status.nullable(), last_change: StatusChange.nullable() });

export const StatusInput = z.object({ tracker_id: z.int(), new_status_id: z.int() });

export const assignStatus = operation("/status/tracker/assign", {
  summary: "Changes a tracker's work status to one of its list; 13 when users of the account may not choose from it",
  right: "tracker_update",
  feature: "statuses",
  input: StatusInput,
  output: z.object({ last_change: StatusChange }),
  errors: [13, 201, 204, 208, 219, 236, 263],
  async run(assignment, call) {
    return onlyRow(await assignStatuses([{ ...assignment, changed: call.clock.now() }], call));
  },
});

export const readTrackerStatus = operation("/status/tracker/read", {
  summary: "A tracker's work status and its last change",
  feature: "statuses",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: TrackerStatus,
  errors: [201, 208, 219, 236],
  async run({ tracker_id }, { db, env, principal }) {
    const [found, rows] = await selectVisibleWithStatuses(db, principal, [tracker_id]);
    if (requireTracker(found, { missing: 201, feature: "statuses" }).clone) throw new ApiError(219);
    const [answer] = await toAnswers(env, principal, rows);
    if (!answer) throw new ApiError(201);
    return answer[1];
  },
});

export const listTrackerStatuses = operation("/status/tracker/list", {
  summary: "The work statuses of trackers, by their ids",
  feature: "statuses",
  reads: true,
  input: z.object({ trackers: z.array(z.int()).max(10_000) }),
  output: z.object({ value: z.record(z.string(), TrackerStatus) }),
  errors: [217, 221, 236],
  async run({ trackers }, { db, env, principal }) {
    const [found, rows] = await selectVisibleWithStatuses(db, principal, trackers);
    requireTrackers(found, trackers);
    if (found.some(({ features }) => !features.includes("statuses"))) throw new ApiError(236);
    return { value: Object.fromEntries(await toAnswers(env, principal, rows)) };
  },
});

export const operations = [assignStatus, readTrackerStatus, listTrackerStatuses];

type Assignment = z.output<typeof StatusInput> & { changed: number };

/**
 * Applies the changes in order in one transaction: all of them, or none. Each gets the tracker's last position at the
 * time of the call.
 */
export async function assignStatuses(assignments: Assignment[], { db, env, principal, actor }: Call<FleetEnv>) {
  const ids = [...new Set(assignments.map(({ tracker_id }) => tracker_id))];
  const found = new Map((await selectVisible(db, principal, ids)).map((one) => [one.tracker_id, one]));
  const trackers = ids.map((id) => {
    const one = found.get(id);
    const tracker = requireTracker(one ? [one] : [], { missing: 204, feature: "statuses" });
    if (tracker.clone) throw new ApiError(219);
    return tracker;
  });
  const positions = new Map(
    await Promise.all(trackers.map(async (one) => [one.tracker_id, await fetchLastPosition(env, one)] as const)),
  );
  const changes = assignments.map(({ tracker_id, new_status_id: status_id, changed }) => {
    return { tracker_id, status_id, position: positions.get(tracker_id) ?? null, changed };
  });
  const [stored, addressed] = await Promise.all([
    changeTrackerStatuses(db, principal, changes, actor),
    addAddresses(
      env,
      principal,
      changes.map(({ position }) => ({ location: position })),
    ),
  ]);
  return stored.map((change, index) => ({ last_change: { ...toChange(change), ...addressed[index] } }));
}

/** In parallel, because the addresses need another trip. */
function selectVisibleWithStatuses(db: Database, principal: Principal, trackers: number[]) {
  return Promise.all([selectVisible(db, principal, trackers), selectTrackerStatuses(db, principal, trackers)]);
}

async function toAnswers(env: FleetEnv, principal: Principal, rows: TrackerStatusRow[]) {
  const changes = rows.flatMap(({ last_change }) => last_change ?? []);
  const addressed = new Map((await addAddresses(env, principal, changes)).map((change) => [change.tracker_id, change]));
  return rows.map(({ tracker_id, current_status }) => {
    const change = addressed.get(tracker_id);
    return [String(tracker_id), { current_status, last_change: change ? toChange(change) : null }] as const;
  });
}

function toChange({ account_id, tracker_id, ...change }: StatusChangeRow): z.output<typeof StatusChange> {
  return change;
}
