import { asc, sql } from "drizzle-orm";
import { openDatabase } from "#shared/database/open.ts";
import { emptied } from "#shared/database/outbox.ts";
import { among } from "#shared/database/scope.ts";
import type { FleetEnv } from "../env.ts";
import { mailOutbox } from "../table/mail-outbox.ts";

/** Hands over what is to be mailed. */
export function deliverMail(env: FleetEnv) {
  const db = openDatabase(env);
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  return emptied({
    take: (most) => db.select().from(mailOutbox).orderBy(asc(sql`rowid`)).limit(most),
    tell: (rows) => env.MAIL.keep(rows.map(({ notice }) => notice)),
    drop: (rows) => db.delete(mailOutbox).where(among(mailOutbox.id, ids(rows))),
  });
}
