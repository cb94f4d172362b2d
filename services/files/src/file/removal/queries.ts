import { and, eq, type SQL, sql } from "drizzle-orm";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { file } from "../../table/file.ts";
import { REMOVED } from "../queries.ts";

/** Removes files: invisible at once, and deleted by the sweep. */
export async function expireFiles(db: Database, ids: number[]) {
  await db.update(file).set(REMOVED).where(among(file.id, ids));
}

export async function expireFilesOfAccounts(db: Database, accounts: number[]) {
  await db.update(file).set(REMOVED).where(among(file.account_id, accounts));
}

/** Removed files, and tickets that expired before `before`, alternating between accounts. */
export function selectExpired(db: Database, before: number, limit: number) {
  return selectDue(db, sql`expires`, before, limit);
}

/** Files whose folders may contain leftovers of failed uploads, alternating between accounts. */
export function selectCleanupsDue(db: Database, now: number, limit: number) {
  return selectDue(db, sql`cleanup_due`, now, limit);
}

/** Deletes files whose folders are empty. A file that may still be receiving an upload is swept again at `retryAt`. */
export async function deleteFiles(db: Database, ids: number[], retryAt: number) {
  await write(db, {
    kept: db
      .update(file)
      .set({ ...REMOVED, expires: retryAt, cleanup_due: null })
      .where(and(among(file.id, ids), sql`${file.cleanup_due} IS NOT NULL`)),
    deleted: db
      .delete(file)
      .where(and(among(file.id, ids), sql`${file.cleanup_due} IS NULL AND ${file.expires} < ${retryAt}`)),
  });
}

type Cleanup = { id: number; cleanup_due: number | null; next: number | null; isUnderWay: boolean };

/** Stores when each folder is cleaned up next, unless an upload has begun meanwhile, which sets a later time. */
export async function updateCleanups(db: Database, cleanups: Cleanup[]) {
  const values = sql`SELECT value ->> 'id' AS id, value ->> 'cleanup_due' AS due, value ->> 'next' AS next,
    value ->> 'isUnderWay' AS under_way FROM json_each(${JSON.stringify(cleanups)})`;
  const cleanupValue = (member: SQL) =>
    sql`(SELECT ${member} FROM (${values}) AS cleanup WHERE cleanup.id = ${file.id})`;
  const ids = cleanups.map(({ id }) => id);
  await db
    .update(file)
    .set({
      cleanup_due: cleanupValue(sql`cleanup.next`),
      state: sql`iif(${eq(file.state, "in_progress")} AND NOT ${cleanupValue(sql`cleanup.under_way`)}, 'created', ${file.state})`,
    })
    .where(and(among(file.id, ids), sql`${file.cleanup_due} = ${cleanupValue(sql`cleanup.due`)}`));
}

/** Files whose moment in the column has passed, alternating between accounts. */
function selectDue(db: Database, column: SQL, now: number, limit: number) {
  const waiting = { isWaiting: sql`${column} IS NOT NULL`, isDue: sql`${column} <= ${now}`, order: column };
  const ids = selectDueByAccount({ table: file, ...waiting }, limit);
  return db.select().from(file).where(sql`${file.id} IN (${ids})`);
}
