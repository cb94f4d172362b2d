import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FleetEnv } from "../../env.ts";
import { eventRetentionOf } from "../../history/retention.ts";
import { eraseRemovedTrackers, selectTrackersRemovedBefore } from "./erasure-queries.ts";

/**
 * Erases data of trackers that were removed long ago: first in geo, whose feeds could still produce events, then in
 * fleet.
 */
export async function sweepRemovedTrackers(env: FleetEnv) {
  const { removedBefore } = eventRetentionOf(env, nowMs(env));
  if (removedBefore === null) return;
  const db = openDatabase(env);
  const trackers = await selectTrackersRemovedBefore(db, removedBefore, MAX_TRACKERS_PER_SWEEP);
  if (trackers.length === 0) return;
  for (const [account_id, own] of Map.groupBy(trackers, (one) => one.account_id)) {
    // A clone has no feed of its own.
    const originals = own.filter(({ clone }) => !clone).map(({ id }) => id);
    if (originals.length > 0) await env.GEO.eraseTrackers(account_id, originals);
  }
  const ids = trackers.map(({ id }) => id);
  await eraseRemovedTrackers(db, ids, MAX_ROWS_PER_STATEMENT);
}

const MAX_ROWS_PER_STATEMENT = 1000;
/** Each tracker is one call to its feed. */
const MAX_TRACKERS_PER_SWEEP = 10;
