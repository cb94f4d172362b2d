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
 * Moves old chunks to the archive: round robin over accounts, the oldest of each tracker first, at most one month of a
 * tracker at a time. Two sweeps at once move no chunk twice.
 */
export async function sweepArchive(env: GeoEnv): Promise<void> {
  if (Number(env.ARCHIVE_DAYS) <= 0) return;
  // Databases one after the other, as the chunks are in memory; a failing database does not stop the next.
  for (const db of trackerDatabases(env)) await archiveChunks(env, db).catch(logFailure);
}

async function archiveChunks(env: GeoEnv, db: Database) {
  // Whole months, so that an object holds points that are read together.
  const before = monthOf(nowMs(env) - Number(env.ARCHIVE_DAYS) * DAY_MS);
  const trackers = await selectDueTrackers(db, "archive", MAX_ACCOUNTS_PER_SWEEP, MAX_TRACKERS_PER_SWEEP);
  const old: DueTracker[] = [];
  let processed = 0;
  for (const tracker of trackers) {
    if (tracker.oldest < before && old.length === MAX_OBJECTS_PER_SWEEP) break;
    if (tracker.oldest < before) old.push(tracker);
    processed++;
  }
  // A tracker that fails does not stop the others, and is tried again in the next rotation.
  await mapConcurrently(old, (tracker) => archiveMonth(env, db, tracker, before).catch(logFailure), CONCURRENT_MOVES);
  await storeRotation(db, "archive", trackers.slice(0, processed));
}

/**
 * Writes the object first, then updates the rows, so that points can always be read. A failure in between leaves an
 * unused object, which `removeLeftovers` deletes.
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
  // No row is updated if another sweep or a flush was faster.
  if ((await pointToObject(db, owner, { object, offsets, until })) === 0) await env.ARCHIVE.delete(key);
}

/** A random number: a restored database may have forgotten used ones. */
function newObject(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 0x10000) * 0x100000000 + low;
}

/** The start of the time's month, or of a later month. */
function monthOf(time: number, monthsLater = 0): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
}

const MAX_ACCOUNTS_PER_SWEEP = 50;
const MAX_TRACKERS_PER_SWEEP = 1000;
/** Objects of up to some 4 MB. */
const MAX_OBJECTS_PER_SWEEP = 50;
/** Each object is in memory twice. */
const CONCURRENT_MOVES = 2;
/** Much shorter than the grace period of unused objects. */
const MAX_MOVE_SECONDS = 1800;
