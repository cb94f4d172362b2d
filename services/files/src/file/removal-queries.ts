import { and, eq, type SQL, sql } from "drizzle-orm";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { file } from "../table/file.ts";
import { GOING } from "./queries.ts";

/** The sweep removes them. */
export async function expireFiles(db: Database, ids: number[]) {
  await db.update(file).set(GOING).where(among(file.id, ids));
}

export async function expireFilesOfAccounts(db: Database, accounts: number[]) {
  await db.update(file).set(GOING).where(among(file.account_id, accounts));
}

/** What is to be removed, of tickets those that ended before the moment; accounts in turn. */
export function selectExpired(db: Database, before: number, most: number) {
  const isWaiting = sql`expires IS NOT NULL`;
  const due = selectDueByAccount(
    { table: file, isWaiting, isDue: sql`expires <= ${before}`, order: sql`expires` },
    most,
  );
  return selectSome(db, due);
}

/** Files whose folders have to be looked at for what attempts have left; accounts in turn. */
export function selectUntidy(db: Database, now: number, most: number) {
  const isWaiting = sql`look_at IS NOT NULL`;
  const due = selectDueByAccount({ table: file, isWaiting, isDue: sql`look_at <= ${now}`, order: sql`look_at` }, most);
  return selectSome(db, due);
}

/** Their folders are empty. One that somebody may still be uploading to is looked at once more. */
export async function deleteFiles(db: Database, ids: number[], again: number) {
  await write(db, {
    kept: db
      .update(file)
      .set({ ...GOING, expires: again, look_at: null })
      .where(and(among(file.id, ids), sql`${file.look_at} IS NOT NULL`)),
    deleted: db
      .delete(file)
      .where(and(among(file.id, ids), sql`${file.look_at} IS NULL AND ${file.expires} < ${again}`)),
  });
}

type Look = { id: number; look_at: number | null; next: number | null; isUnderWay: boolean };

/** When they are looked at next; not where somebody has begun to upload meanwhile. */
export async function noteLooks(db: Database, looks: Look[]) {
  const given = sql`SELECT value ->> 'id' AS id, value ->> 'look_at' AS look_at, value ->> 'next' AS next,
    value ->> 'isUnderWay' AS under_way FROM json_each(${JSON.stringify(looks)})`;
  const of = (member: SQL) => sql`(SELECT ${member} FROM (${given}) AS look WHERE look.id = ${file.id})`;
  const ids = looks.map(({ id }) => id);
  await db
    .update(file)
    .set({
      look_at: of(sql`look.next`),
      state: sql`iif(${eq(file.state, "in_progress")} AND NOT ${of(sql`look.under_way`)}, 'created', ${file.state})`,
    })
    .where(and(among(file.id, ids), sql`${file.look_at} = ${of(sql`look.look_at`)}`));
}

function selectSome(db: Database, rowids: SQL) {
  return db.select().from(file).where(sql`${file.id} IN (${rowids})`);
}
