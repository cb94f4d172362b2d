import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./open.ts";

/** What waits in a table, in words that name no table: those of the partial index that finds it by account. */
type DueTable = {
  table: SQLiteTable;
  /** Whose it is, as in the index. */
  account?: SQL;
  /** What the index holds. */
  isWaiting: SQL;
  /** Which of that has its turn, of the account's longest wait first. */
  isDue: SQL;
  order: SQL;
};

/**
 * The rowids of what is due, accounts in turn: the first of each, then the second of each, until there are so many. So none
 * waits for what another has piled up. Of no account more is looked at than a part can hold.
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

/** The same for an outbox, where everything is due in the order in which it came. */
export function selectOutboxByAccount(table: SQLiteTable, most: number, account?: SQL): SQL {
  return selectDueByAccount({ table, account, isWaiting: sql`TRUE`, isDue: sql`TRUE`, order: sql`rowid` }, most);
}

/**
 * Deletes what is due, as much as that. It is looked for without the lock of those who write, since that goes through all
 * accounts: with 100,000 it takes a third of a second.
 */
export async function deleteDueByAccount(db: Database, queue: DueTable, most: number) {
  const found = await db.all<{ row: number }>(selectDueByAccount(queue, most));
  if (found.length === 0) return;
  const rows = JSON.stringify(found.map(({ row }) => row));
  // What another sweep has deleted meanwhile is not there any more; ids are never given twice.
  await db.delete(queue.table).where(sql`rowid IN (SELECT value FROM json_each(${rows}))`);
}

/** So many times what is taken is looked at, so that a few accounts with much to do fill a part. */
const CANDIDATES_PER_ROW = 10;
