import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../database/open.ts";
import { write } from "../database/steps.ts";
import { DAY_MS } from "../time/duration.ts";

type ChangeTable = SQLiteTable & Record<"account_id" | "revision" | "changed", SQLiteColumn>;
type RevisionTable = SQLiteTable & Record<"account_id" | "forgotten", SQLiteColumn>;

/** Deletes old changes. A phone that has not asked since reads everything anew. */
export async function forgetChanges(
  db: Database,
  { changes, revisions }: { changes: ChangeTable; revisions: RevisionTable },
  now: number,
): Promise<void> {
  const old = sql`(SELECT rowid FROM ${changes} WHERE ${changes.changed} < ${now - RETENTION_MS}
    ORDER BY ${changes.changed} LIMIT ${MAX_ROWS_PER_DELETE})`;
  const last = sql`(SELECT max(${changes.revision}) FROM ${changes} WHERE ${changes}.rowid IN ${old}
    AND ${changes.account_id} = ${revisions.account_id})`;
  const accounts = sql`(SELECT ${changes.account_id} FROM ${changes} WHERE ${changes}.rowid IN ${old})`;
  await write(db, {
    noted: db.run(sql`UPDATE ${revisions} SET forgotten = max(${revisions.forgotten}, ${last})
      WHERE ${revisions.account_id} IN ${accounts}`),
    dropped: db.delete(changes).where(sql`rowid IN ${old}`),
  });
}

const RETENTION_MS = 30 * DAY_MS;
const MAX_ROWS_PER_DELETE = 10_000;
