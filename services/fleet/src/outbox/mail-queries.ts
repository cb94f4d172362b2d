import { asc, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { nextOf } from "#shared/database/turns.ts";
import { mailOutbox } from "../table/mail-outbox.ts";

/** What is to be mailed, accounts in turn, of each the oldest first. */
export function selectMail(db: Database, most: number) {
  return db
    .select()
    .from(mailOutbox)
    .where(sql`rowid IN (${nextOf(mailOutbox, most)})`)
    .orderBy(asc(sql`rowid`));
}

export async function deleteMail(db: Database, ids: string[]) {
  await db.delete(mailOutbox).where(among(mailOutbox.id, ids));
}
