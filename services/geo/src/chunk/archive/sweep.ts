import { mapConcurrently } from "#shared/background/map-concurrently.ts";
import type { Database } from "#shared/database/open.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import { logFailure } from "../../log-failure.ts";
import { keyOf } from "../archived-points.ts";
import { trackerDatabases } from "../database/open.ts";
import { type DueTracker, selectDueTrackers, storeRotation } from "../retention/rotation-queries.ts";
import { pointToObject, selectUnarchived } from "./queries.ts";

/**
 * What is old enough moves to the archive: accounts in turn, of each tracker the oldest first, a month or a part of it at
 * a time. Two sweeps at once move nothing twice.
 */
export async function sweepArchive(env: GeoEnv): Promise<void> {
  if (Number(env.ARCHIVE_DAYS) <= 0) return;
  // One after the other, as all of it is in memory: one that fails keeps no other from it.
  for (const db of trackerDatabases(env)) await archiveChunks(env, db).catch(logFailure);
}

async function archiveChunks(env: GeoEnv, db: Database) {
  // Whole months, so that what belongs together comes together.
  const before = monthOf(nowMs(env) - Number(env.ARCHIVE_DAYS) * DAY_MS);
  const trackers = await selectDueTrackers(db, "archive", MAX_ACCOUNTS_PER_SWEEP, MAX_TRACKERS_PER_SWEEP);
  const old: DueTracker[] = [];
  let processed = 0;
  for (const turn of trackers) {
    if (turn.oldest < before && old.length === MAX_OBJECTS_PER_SWEEP) break;
    if (turn.oldest < before) old.push(turn);
    processed++;
  }
  // One that fails keeps nobody else from it, and has its turn again.
  await mapConcurrently(old, (turn) => archiveMonth(env, db, turn, before).catch(logFailure), CONCURRENT_MOVES);
  await storeRotation(db, "archive", trackers.slice(0, processed));
}

/**
 * First the object, then the rows: until they are changed the points are where they were. Whatever happens in between
 * leaves an object too many, which `removeLeftovers` finds.
 */
async function archiveMonth(env: GeoEnv, db: Database, { oldest, ...owner }: DueTracker, before: number) {
  const until = Math.floor(systemNow() / 1000) + MAX_MOVE_SECONDS;
  const rows = await selectUnarchived(db, owner, oldest, Math.min(before, monthOf(oldest, 1)));
  if (rows.length === 0) return;
  const object = newObject();
  let offset = 0;
  const offsets = rows.map(({ id, data }): [number, number] => {
    offset += data.length;
    return [id, offset - data.length];
  });
  const key = keyOf(owner, object);
  await env.ARCHIVE.put(key, Buffer.concat(rows.map(({ data }) => data)));
  // None where another sweep or the feed was faster.
  if ((await pointToObject(db, owner, { object, places: offsets, until })) === 0) await env.ARCHIVE.delete(key);
}

/** Never the same twice, whatever a restored database has forgotten. */
function newObject(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 0x10000) * 0x100000000 + low;
}

/** The start of the month of a moment, or of one behind it. */
function monthOf(time: number, behind = 0): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + behind);
}

/** In one sweep. */
const MAX_ACCOUNTS_PER_SWEEP = 50;
const MAX_TRACKERS_PER_SWEEP = 1000;
/** Of some 4 MB at the most. */
const MAX_OBJECTS_PER_SWEEP = 50;
/** Each is in memory twice. */
const CONCURRENT_MOVES = 2;
/** Far less than objects without a chunk are left alone for. */
const MAX_MOVE_SECONDS = 1800;
