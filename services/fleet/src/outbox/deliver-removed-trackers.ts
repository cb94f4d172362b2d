import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { FleetEnv } from "../env.ts";
import { deleteTrackerRemovals, selectTrackerRemovals, type TrackerRemoval } from "./tracker-removal-queries.ts";

/** Tells tasks of trackers that are no more; whoever removed them has told already, unless it died or tasks was away. */
export function deliverRemovedTrackers(env: FleetEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (limit) => selectTrackerRemovals(db, limit),
    deliver: (rows) => env.TASKS.forgetTrackers(rows),
    remove: (rows) => deleteTrackerRemovals(db, rows),
  });
}

/** Before the answer. Should tasks be away, the removal stands all the same, and the next sweep tells of it. */
export async function deliverTrackerRemovals({ TASKS }: FleetEnv, trackers: TrackerRemoval[]) {
  if (trackers.length > 0 && trackers.length <= MAX_TRACKERS_PER_CALL)
    await TASKS.forgetTrackers(trackers).catch(() => undefined);
}

/** In one call. */
const MAX_TRACKERS_PER_CALL = 500;
