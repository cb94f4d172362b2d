import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { deleteDueByAccount, selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { read, write } from "#shared/database/steps.ts";
import { event } from "../table/event.ts";
import { removedTracker } from "../table/removed-tracker.ts";
import { source } from "../table/source.ts";
import { statusChange } from "../table/status-change.ts";
import { tariff } from "../table/tariff.ts";
import { tracker } from "../table/tracker.ts";

/** Of any account: by id, of trackers that there are and of those that were removed. */
export async function selectStorePeriods(db: Database, tracker_ids: number[]): Promise<Record<number, string>> {
  const { store_period } = tariff;
  const { present, removed } = await read(db, {
    present: db
      .select({ id: tracker.id, store_period })
      .from(tracker)
      .innerJoin(source, eq(source.id, tracker.source_id))
      .innerJoin(tariff, eq(tariff.id, source.tariff_id))
      .where(among(tracker.id, tracker_ids)),
    removed: db
      .select({ id: removedTracker.id, store_period })
      .from(removedTracker)
      .innerJoin(tariff, eq(tariff.id, removedTracker.tariff_id))
      .where(among(removedTracker.id, tracker_ids)),
  });
  return Object.fromEntries([...removed, ...present].map(({ id, store_period }) => [id, store_period]));
}

/** Of all accounts, in turn. */
export async function deleteEvents(db: Database, before: number, limit: number) {
  const isDue = sql`time < ${before}`;
  await deleteDueByAccount(db, { table: event, isWaiting: sql`TRUE`, isDue, order: sql`time` }, limit);
}

/** Trackers that were removed before the moment and of which something may be left, accounts in turn. */
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

/** As many of each kind and tracker as are deleted at a time; a tracker of which nothing is left is erased. */
export async function eraseRemovedTrackers(db: Database, ids: number[], limit: number) {
  const isErased = and(among(removedTracker.id, ids), ...ERASED_TABLES.map((table) => hasNoRows(table)));
  await write(db, {
    deleted: ERASED_TABLES.map((table) => db.delete(table).where(inArray(table.id, firstRows(table, ids, limit)))),
    erased: db.update(removedTracker).set({ is_erased: true }).where(isErased),
  });
}

/** What was told of trackers, not by the people of the account: that stays with them. */
const ERASED_TABLES = [event, statusChange];
type ErasedTable = (typeof ERASED_TABLES)[number];

function firstRows(table: ErasedTable, ids: number[], limit: number): SQL {
  return sql`(SELECT one.id FROM ${removedTracker} AS gone CROSS JOIN ${table} AS one
    ON one.id IN (SELECT id FROM ${table} AS part WHERE part.account_id = gone.account_id AND part.tracker_id = gone.id LIMIT ${limit})
    WHERE ${among(sql`gone.id`, ids)})`;
}

function hasNoRows(table: ErasedTable): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table.account_id} = ${removedTracker.account_id}
    AND ${table.tracker_id} = ${removedTracker.id})`;
}
