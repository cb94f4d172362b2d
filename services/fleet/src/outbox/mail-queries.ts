import { asc, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { mailOutbox } from "../table/mail-outbox.ts";

/** What is to be mailed, the oldest first. */
export function selectMail(db: Database, most: number) {
  return db.select().from(mailOutbox).orderBy(asc(sql`rowid`)).limit(most);
}

export async function deleteMail(db: Database, ids: string[]) {
  await db.delete(mailOutbox).where(among(mailOutbox.id, ids));
}
