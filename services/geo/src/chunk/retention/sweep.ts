import { awaitAll } from "#shared/background/await-all.ts";
import { visibleSince } from "#shared/contract/tracker/stored-range.ts";
import type { Database } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import { logFailure } from "../../log-failure.ts";
import { feedOf } from "../../object/addresses.ts";
import { trackerDatabases } from "../database/open.ts";
import { selectDueTrackers, storeRotation } from "./rotation-queries.ts";

/**
 * Deletes points that left their tracker's storage period longer ago than the grace period: round robin over accounts,
 * the oldest chunks of each tracker first. Feeds delete them, as no other code writes chunks and counters must
 * continue. Each database has its own rotation.
 */
export async function sweepPoints(env: GeoEnv): Promise<void> {
  await awaitAll(trackerDatabases(env).map((db) => sweepDatabase(env, db)));
}

async function sweepDatabase(env: GeoEnv, db: Database) {
  const trackers = await selectDueTrackers(db, "retention", MAX_ACCOUNTS_PER_SWEEP, MAX_TRACKERS_PER_SWEEP);
  if (trackers.length === 0) return;
  const periods = await env.FLEET.storagePeriodsOf(trackers.map(({ tracker_id }) => tracker_id));
  const ends = periodEnds(env);
  const old: { tracker_id: number; before: number }[] = [];
  let processed = 0;
  for (const { tracker_id, oldest } of trackers) {
    const period = periods[tracker_id];
    const before = period === undefined ? Number.NEGATIVE_INFINITY : ends(period);
    if (oldest < before && old.length === MAX_FEEDS_PER_SWEEP) break;
    if (oldest < before) old.push({ tracker_id, before });
    processed++;
  }
  // A feed that fails does not stop the others, and is tried again in the next rotation.
  await Promise.all(
    old.map(({ tracker_id, before }) => feedOf(env, tracker_id).forgetPoints(before).catch(logFailure)),
  );
  await storeRotation(db, "retention", trackers.slice(0, processed));
}

/**
 * The moment before which points are deleted, by storage period. Points that rules and tasks may still evaluate stay.
 */
function periodEnds(env: GeoEnv) {
  const now = nowMs(env);
  const followed = now - Math.max(Number(env.RULE_LATE_HOURS), Number(env.VISIT_LATE_HOURS)) * HOUR_MS;
  const graceMs = Number(env.RETENTION_GRACE_DAYS) * DAY_MS;
  return (period: string) => Math.min(visibleSince([period], now) - graceMs, followed);
}

const MAX_ACCOUNTS_PER_SWEEP = 50;
const MAX_TRACKERS_PER_SWEEP = 1000;
/** At least one of each account; these feeds wake up at once. */
const MAX_FEEDS_PER_SWEEP = 50;
