import { asc, sql } from "drizzle-orm";
import { among, type Database, openDatabase } from "#shared/database.ts";
import type { FleetEnv } from "../env.ts";
import { auditOutbox } from "./table.ts";

/**
 * Tells the log of what changed, as much as it takes. What is told twice, because the first telling or what came of it
 * got lost, the log knows by its id.
 */
export async function deliverAudit(env: FleetEnv) {
  const db = openDatabase(env);
  let told: number;
  do told = await deliverSome(db, env);
  while (told === DELIVERED);
}

async function deliverSome(db: Database, env: FleetEnv) {
  const rows = await db.select().from(auditOutbox).orderBy(asc(sql`rowid`)).limit(DELIVERED);
  if (rows.length === 0) return 0;
  await env.AUDIT.record(rows.map(({ entry }) => entry));
  const ids = rows.map(({ event_id }) => event_id);
  await db.delete(auditOutbox).where(among(auditOutbox.event_id, ids));
  return rows.length;
}

const DELIVERED = 500;
