import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { selectObjects } from "#shared/database/rows.ts";
import { archiveTurn } from "../../table/chunk/archive-turn.ts";
import { chunk } from "../../table/chunk/chunk.ts";
import { retentionTurn } from "../../table/chunk/retention-turn.ts";

/** The sweeps over chunks: the table of each one's rotation, and the condition of chunks that it processes. */
const SWEEPS = {
  retention: { rotation: retentionTurn, subject: sql`TRUE` },
  archive: { rotation: archiveTurn, subject: sql`object IS NULL` },
};
export type ChunkSweep = keyof typeof SWEEPS;

/** A tracker to be processed, and when its first chunk ends. `turn` is its rank within its account. */
export type DueTracker = { account_id: number; tracker_id: number; oldest: number; rank: number };

/**
 * The next trackers of the rotation, round robin over the accounts: the first tracker of each account, then the second
 * of each. Reads one entry of the chunk index per tracker.
 */
export async function selectDueTrackers(
  db: Database,
  sweep: ChunkSweep,
  accounts: number,
  limit: number,
): Promise<DueTracker[]> {
  const { rotation, subject } = SWEEPS[sweep];
  const lastOf = (account: string) =>
    sql`coalesce((SELECT last_id FROM ${rotation} WHERE account_id = ${sql.raw(account)}), 0)`;
  const accountAfter = (after: SQL) =>
    sql`(SELECT min(account_id) FROM ${chunk} WHERE account_id > ${after} AND ${subject})`;
  const trackerAfter = (account: string, after: SQL) =>
    sql`(SELECT min(tracker_id) FROM ${chunk}
      WHERE account_id = ${sql.raw(account)} AND tracker_id > ${after} AND ${subject})`;
  return selectObjects<DueTracker>(
    db,
    sql`WITH RECURSIVE
    owner (id, rank) AS (
      SELECT coalesce(${accountAfter(lastOf("0"))}, ${accountAfter(sql`0`)}), 1
      UNION ALL SELECT ${accountAfter(sql`owner.id`)}, rank + 1 FROM owner WHERE id IS NOT NULL AND rank < ${accounts}),
    quota AS MATERIALIZED (SELECT max(1, ${limit} / max(1, count(id))) AS trackers FROM owner),
    tracker (account_id, tracker_id, rank) AS (
      SELECT id, coalesce(${trackerAfter("owner.id", lastOf("owner.id"))}, ${trackerAfter("owner.id", sql`0`)}), 1
        FROM owner WHERE id IS NOT NULL
      UNION ALL SELECT account_id, ${trackerAfter("tracker.account_id", sql`tracker.tracker_id`)}, rank + 1
        FROM tracker WHERE tracker_id IS NOT NULL AND rank < (SELECT trackers FROM quota))
    SELECT account_id, tracker_id, rank, (SELECT min(${sql.raw('"to"')}) FROM ${chunk}
        WHERE ${chunk.account_id} = tracker.account_id AND ${chunk.tracker_id} = tracker.tracker_id AND ${subject}) AS oldest
      FROM tracker WHERE tracker_id IS NOT NULL ORDER BY rank, account_id`,
  );
}

/**
 * Stores the last processed tracker of each account, and the last account; accounts without such chunks are not stored.
 */
export async function storeRotation(db: Database, sweep: ChunkSweep, trackers: DueTracker[]) {
  if (trackers.length === 0) return;
  const table = SWEEPS[sweep].rotation;
  const last = new Map(trackers.map(({ account_id, tracker_id }) => [account_id, tracker_id]));
  last.set(0, Math.max(...last.keys()));
  await db
    .insert(table)
    .select(
      sql`SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify([...last])}) WHERE value ->> 0 = 0
        OR EXISTS (SELECT 1 FROM ${chunk} WHERE ${chunk.account_id} = value ->> 0)`,
    )
    .onConflictDoUpdate({ target: table.account_id, set: { last_id: sql`excluded.last_id` } });
}
