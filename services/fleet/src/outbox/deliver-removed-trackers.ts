import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { FleetEnv } from "../env.ts";
import { deleteTrackerRemovals, selectTrackerRemovals, type TrackerRemoval } from "./tracker-removal-queries.ts";

/**
 * Tells the tasks service of removed trackers. The call that removed them did so already, unless its Worker died or
 * tasks failed.
 */
export function deliverRemovedTrackers(env: FleetEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (limit) => selectTrackerRemovals(db, limit),
    deliver: (rows) => env.TASKS.removeTrackers(rows),
    remove: (rows) => deleteTrackerRemovals(db, rows),
  });
}

/** Tells the tasks service of removed trackers before the answer. A failure is ignored: the next sweep repeats it. */
export async function deliverTrackerRemovals({ TASKS }: FleetEnv, trackers: TrackerRemoval[]) {
  if (trackers.length > 0 && trackers.length <= MAX_TRACKERS_PER_CALL)
    await TASKS.removeTrackers(trackers).catch(() => undefined);
}

const MAX_TRACKERS_PER_CALL = 500;
