import { and, inArray, type SQL, sql } from "drizzle-orm";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { event } from "../../table/event.ts";
import { removedTracker } from "../../table/tracker/removed-tracker.ts";
import { statusChange } from "../../table/work-status/status-change.ts";

/** Trackers removed before the moment that may still have rows to erase; accounts alternate. */
export function selectTrackersRemovedBefore(db: Database, before: number, limit: number) {
  const isDue = sql`removed_at < ${before}`;
  const due = selectDueByAccount(
    { table: removedTracker, isWaiting: sql`is_erased = 0`, isDue, order: sql`removed_at` },
    limit,
  );
  const { id, account_id, clone } = removedTracker;
  return db
    .select({ id, account_id, clone })
    .from(removedTracker)
    .where(inArray(id, sql`(${due})`));
}

/** Deletes up to `limit` events and status changes of each tracker, and marks those that have none left as erased. */
export async function eraseRemovedTrackers(db: Database, ids: number[], limit: number) {
  const isErased = and(among(removedTracker.id, ids), ...ERASED_TABLES.map((table) => hasNoRows(table)));
  await write(db, {
    deleted: ERASED_TABLES.map((table) => db.delete(table).where(inArray(table.id, firstRows(table, ids, limit)))),
    erased: db.update(removedTracker).set({ is_erased: true }).where(isErased),
  });
}

/**
 * Tables of what devices and services recorded about a tracker. Journal entries and tasks stay: users of the account
 * wrote them.
 */
const ERASED_TABLES = [event, statusChange];
type ErasedTable = (typeof ERASED_TABLES)[number];

function firstRows(table: ErasedTable, ids: number[], limit: number): SQL {
  return sql`(SELECT one.id FROM ${removedTracker} AS removed CROSS JOIN ${table} AS one
    ON one.id IN (SELECT id FROM ${table} AS part WHERE part.account_id = removed.account_id AND part.tracker_id = removed.id LIMIT ${limit})
    WHERE ${among(sql`removed.id`, ids)})`;
}

function hasNoRows(table: ErasedTable): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table.account_id} = ${removedTracker.account_id}
    AND ${table.tracker_id} = ${removedTracker.id})`;
}
