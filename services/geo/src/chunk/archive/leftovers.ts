import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import { databaseOf } from "../database/open.ts";
import { type ArchiveObject, selectLeftovers, selectRound, selectUnused, storeRound } from "./queries.ts";

/**
 * Deletes archive objects that no chunk uses, a page of the bucket at a time. An object is noted first and deleted a
 * week later: its row may be about to be updated, or the database may have been restored or misconfigured.
 */
export async function removeLeftovers(env: GeoEnv) {
  const db = openDatabase(env);
  const now = nowMs(env);
  const round = await selectRound(db);
  const { objects, truncated } = await env.ARCHIVE.list({
    limit: MAX_OBJECTS_PER_PAGE,
    ...(round && { startAfter: round }),
  });
  const to = truncated ? (objects.at(-1)?.key ?? "") : "";
  const listed = objects.flatMap(({ key }) => parseKey(key));
  const [unused, notedAt] = await Promise.all([unusedOf(env, listed), selectLeftovers(db, round, to)]);
  const due = unused.filter((key) => (notedAt.get(key) ?? now) < now - GRACE_MS);
  if (due.length > 0) await env.ARCHIVE.delete(due);
  const left = new Set(unused);
  for (const key of due) left.delete(key);
  await storeRound(db, {
    from: round,
    to,
    found: unused.filter((key) => !notedAt.has(key)).map((key) => ({ key, found: now })),
    removed: [...notedAt.keys()].filter((key) => !left.has(key)),
  });
}

/** Checks each object in the database of its tracker. */
async function unusedOf(env: GeoEnv, listed: ArchiveObject[]): Promise<string[]> {
  const byDatabase = Map.groupBy(listed, ({ tracker_id }) => databaseOf(env, tracker_id));
  const unused = await Promise.all([...byDatabase].map(([db, objects]) => selectUnused(db, objects)));
  return unused.flat();
}

/** No result for keys that the archive does not write: these objects stay. */
function parseKey(key: string): ArchiveObject[] {
  const { account, tracker, object } = /^(?<account>\d+)\/(?<tracker>\d+)\/(?<object>\d+)$/.exec(key)?.groups ?? {};
  if (!account) return [];
  return [{ key, account_id: Number(account), tracker_id: Number(tracker), object: Number(object) }];
}

/** The most that a bucket lists or deletes in one call. */
const MAX_OBJECTS_PER_PAGE = 1000;
const GRACE_MS = 7 * DAY_MS;
