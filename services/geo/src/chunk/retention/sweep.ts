import { awaitAll } from "#shared/background/await-all.ts";
import { visibleSince } from "#shared/contract/stored-range.ts";
import type { Database } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import { logFailure } from "../../log-failure.ts";
import { feedOf } from "../../object/addresses.ts";
import { trackerDatabases } from "../database/open.ts";
import { selectDueTrackers, storeRotation } from "./rotation-queries.ts";

/**
 * Points that have been out of the storage period of their tracker's tariff for longer than the grace go, accounts in
 * turn, of each tracker the oldest first. The feeds remove them: nobody else writes chunks, and counters go on from them.
 * Each database has turns of its own.
 */
export async function sweepPoints(env: GeoEnv): Promise<void> {
  await awaitAll(trackerDatabases(env).map((db) => sweepDatabase(env, db)));
}

async function sweepDatabase(env: GeoEnv, db: Database) {
  const trackers = await selectDueTrackers(db, "retention", MAX_ACCOUNTS_PER_SWEEP, MAX_TRACKERS_PER_SWEEP);
  if (trackers.length === 0) return;
  const periods = await env.FLEET.storePeriodsOf(trackers.map(({ tracker_id }) => tracker_id));
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
  // One that fails keeps nobody else from it, and has its turn again.
  await Promise.all(
    old.map(({ tracker_id, before }) => feedOf(env, tracker_id).forgetPoints(before).catch(logFailure)),
  );
  await storeRotation(db, "retention", trackers.slice(0, processed));
}

/** Before which points go, by storage period. What rules and tasks may still follow stays, however short that is. */
function periodEnds(env: GeoEnv) {
  const now = nowMs(env);
  const followed = now - Math.max(Number(env.RULE_LATE_HOURS), Number(env.VISIT_LATE_HOURS)) * HOUR_MS;
  const graceMs = Number(env.RETENTION_GRACE_DAYS) * DAY_MS;
  return (period: string) => Math.min(visibleSince([period], now) - graceMs, followed);
}

/** In one sweep. */
const MAX_ACCOUNTS_PER_SWEEP = 50;
const MAX_TRACKERS_PER_SWEEP = 1000;
/** At least one of each account; they wake up together. */
const MAX_FEEDS_PER_SWEEP = 50;
