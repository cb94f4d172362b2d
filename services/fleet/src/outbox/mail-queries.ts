import { asc, sql } from "drizzle-orm";
import { selectOutboxByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { mailOutbox } from "../table/outbox/mail-outbox.ts";

/** Mails that are not delivered yet, oldest first; accounts alternate. */
export function selectMail(db: Database, limit: number) {
  return db
    .select()
    .from(mailOutbox)
    .where(sql`rowid IN (${selectOutboxByAccount(mailOutbox, limit)})`)
    .orderBy(asc(sql`rowid`));
}

export async function deleteMail(db: Database, ids: string[]) {
  await db.delete(mailOutbox).where(among(mailOutbox.id, ids));
}
