import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./open.ts";
import { selectObjects } from "./rows.ts";

/** A table with due rows, in expressions that name no table and equal those of the partial index that finds them. */
type DueTable = {
  table: SQLiteTable;
  /** The row's account, as in the index. */
  account?: SQL;
  /** Condition of the index. */
  isWaiting: SQL;
  /** Which waiting rows are due, in the account's order. */
  isDue: SQL;
  order: SQL;
};

/**
 * Row ids of due rows in round robin over accounts: the first row of each account, then the second, up to `most`. An
 * account with many due rows cannot delay others, and only a share of its rows is read.
 */
export function selectDueByAccount(
  { table, account = sql`account_id`, isWaiting, isDue, order }: DueTable,
  most: number,
): SQL {
  const ofNext = (more: SQL) =>
    sql`(SELECT ${account} FROM ${table} WHERE ${isWaiting} AND ${more} ORDER BY ${account} LIMIT 1)`;
  return sql`WITH RECURSIVE owner(owner_id) AS (
      SELECT ${ofNext(sql`${account} IS NOT NULL`)}
      UNION ALL SELECT ${ofNext(sql`${account} > owner_id`)} FROM owner WHERE owner_id IS NOT NULL),
    due_owner AS MATERIALIZED (SELECT owner_id FROM owner WHERE owner_id IS NOT NULL
      AND EXISTS (SELECT 1 FROM ${table} WHERE ${isWaiting} AND ${account} = owner_id AND ${isDue})),
    share AS MATERIALIZED (SELECT max(1, CAST(${most * CANDIDATES_PER_ROW} AS INTEGER) / max(1, count(*))) AS rows FROM due_owner)
    SELECT row FROM (SELECT owner_id, waiting.rowid AS row, waiting.${order} AS place
      FROM due_owner CROSS JOIN ${table} AS waiting ON waiting.rowid IN (SELECT rowid FROM ${table}
        WHERE ${isWaiting} AND ${account} = owner_id AND ${isDue} ORDER BY ${order} LIMIT (SELECT rows FROM share)))
    ORDER BY row_number() OVER (PARTITION BY owner_id ORDER BY place), place LIMIT ${most}`;
}

/** Like `selectDueByAccount` for an outbox, where every row is due in order of arrival. */
export function selectOutboxByAccount(table: SQLiteTable, most: number, account?: SQL): SQL {
  return selectDueByAccount({ table, account, isWaiting: sql`TRUE`, isDue: sql`TRUE`, order: sql`rowid` }, most);
}

/**
 * Deletes at most `most` due rows. They are searched without the write lock, since the search visits all accounts: a
 * third of a second for 100,000.
 */
export async function deleteDueByAccount(db: Database, queue: DueTable, most: number) {
  const found = await selectObjects<{ row: number }>(db, selectDueByAccount(queue, most));
  if (found.length === 0) return;
  const rows = JSON.stringify(found.map(({ row }) => row));
  // Another sweep may have deleted rows meanwhile; ids are never reused.
  await db.delete(queue.table).where(sql`rowid IN (SELECT value FROM json_each(${rows}))`);
}

/** Reads this many candidates per returned row, so that few accounts with many due rows still fill a page. */
const CANDIDATES_PER_ROW = 10;
