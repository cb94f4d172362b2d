import { asc, sql } from "drizzle-orm";
import { among, type Database, openDatabase } from "#shared/database.ts";
import type { FleetEnv } from "../env.ts";
import { mailOutbox } from "./table.ts";

/** Hands over what is to be mailed. What is handed over twice, the gateway knows by its id. */
export async function deliverMail(env: FleetEnv) {
  const db = openDatabase(env);
  let told: number;
  do told = await deliverSome(db, env);
  while (told === DELIVERED);
}

async function deliverSome(db: Database, env: FleetEnv) {
  const rows = await db.select().from(mailOutbox).orderBy(asc(sql`rowid`)).limit(DELIVERED);
  if (rows.length === 0) return 0;
  await env.MAIL.keep(rows.map(({ notice }) => notice));
  const ids = rows.map(({ id }) => id);
  await db.delete(mailOutbox).where(among(mailOutbox.id, ids));
  return rows.length;
}

const DELIVERED = 500;
