import type { InStatement } from "@libsql/client/web";
import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Principal } from "../caller/principal.ts";
import type { SyncItem } from "../contract/sync.ts";
import { type Database, databaseOf } from "../database/open.ts";
import { among } from "../database/scope.ts";
import type { SyncItemTable } from "../database/sync-item.ts";
import { isTaken, takenColumns } from "../error/failure.ts";
import { DAY_MS } from "../time/duration.ts";

type Receipt = Pick<Principal, "account_id" | "user_id"> & { received: number };
type DoneItem = Pick<SyncItem, "uuid" | "operation" | "time">;

/** Queries that make a service's sync items take effect once. */
export function itemsIn(table: SyncItemTable) {
  return { selectDone, insertDoneItems, databaseStoringAnswers, isDone, deleteOldItems };

  /** Items among these uuids that the user sent before. */
  function selectDone(db: Database, { user_id }: Pick<Principal, "user_id">, uuids: string[]) {
    return db
      .select({ uuid: table.uuid, operation: table.operation, answer: table.answer })
      .from(table)
      .where(and(eq(table.user_id, user_id), among(table.uuid, uuids)));
  }

  /** Stands at the end of the items' transaction. `answer` may use `item.key`, the index of the item. */
  function insertDoneItems(db: Database, items: DoneItem[], { account_id, user_id, received }: Receipt, answer: SQL) {
    const rows = items.map(({ uuid, operation, time }) => ({ uuid, operation, time }));
    return db.insert(table).select(
      sql`SELECT ${user_id}, item.value ->> 'uuid', ${account_id}, item.value ->> 'operation', item.value ->> 'time',
        ${received}, ${answer} FROM json_each(${JSON.stringify(rows)}) AS item`,
    );
  }

  /** A database whose writing transactions also record the items as done, and fail when one of them is done already. */
  function databaseStoringAnswers(db: Database, items: DoneItem[], receipt: Receipt, answer: SQL): Database {
    const { sql: text, params } = insertDoneItems(db, items, receipt, answer).toSQL();
    const note = { sql: text, args: params } as InStatement; // what drizzle binds is what the client takes
    const { $client } = db;
    return databaseOf({
      execute: (statement: InStatement) => $client.execute(statement),
      async batch(statements: InStatement[]) {
        if (!statements.some(changes)) return $client.batch(statements);
        // Appended, so that the other statements keep their indexes.
        return (await $client.batch([...statements, note])).slice(0, -1);
      },
    });
  }

  /** Whether a transaction failed because an item was done before. */
  function isDone(thrown: unknown) {
    return isTaken(thrown) && takenColumns(thrown).includes("sync_item.");
  }

  /** Deletes some items older than the retention. */
  async function deleteOldItems(db: Database, now: number) {
    const old = db
      .select({ rowid: sql`rowid` })
      .from(table)
      .where(lt(table.received, now - RETENTION_MS))
      .limit(MAX_ROWS_PER_DELETE);
    await db.delete(table).where(sql`rowid IN (${old})`);
  }
}
export type SyncItems = ReturnType<typeof itemsIn>;

function changes(statement: InStatement) {
  return !/^\s*select\b/i.test(typeof statement === "string" ? statement : statement.sql);
}

const RETENTION_MS = 30 * DAY_MS;
const MAX_ROWS_PER_DELETE = 20_000;
