import { and, eq, type SQL, sql } from "drizzle-orm";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { file } from "../../table/file.ts";
import { REMOVED } from "../queries.ts";

/** The sweep removes them. */
export async function expireFiles(db: Database, ids: number[]) {
  await db.update(file).set(REMOVED).where(among(file.id, ids));
}

export async function expireFilesOfAccounts(db: Database, accounts: number[]) {
  await db.update(file).set(REMOVED).where(among(file.account_id, accounts));
}

/** What is to be removed, of tickets those that ended before the moment; accounts in turn. */
export function selectExpired(db: Database, before: number, limit: number) {
  const isWaiting = sql`expires IS NOT NULL`;
  const due = selectDueByAccount(
    { table: file, isWaiting, isDue: sql`expires <= ${before}`, order: sql`expires` },
    limit,
  );
  return selectFiles(db, due);
}

/** Files whose folders have to be looked at for what attempts have left; accounts in turn. */
export function selectCleanupsDue(db: Database, now: number, limit: number) {
  const isWaiting = sql`look_at IS NOT NULL`;
  const due = selectDueByAccount({ table: file, isWaiting, isDue: sql`look_at <= ${now}`, order: sql`look_at` }, limit);
  return selectFiles(db, due);
}

/** Their folders are empty. One that somebody may still be uploading to is looked at once more. */
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

/** When they are looked at next; not where somebody has begun to upload meanwhile. */
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

function selectFiles(db: Database, rowids: SQL) {
  return db.select().from(file).where(sql`${file.id} IN (${rowids})`);
}
