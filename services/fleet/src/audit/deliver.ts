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

/**
 * After the answer, a moment later: changes that follow each other closely are told together. What fails here, or dies,
 * is left to the sweep.
 */
export async function deliverAuditSoon(env: FleetEnv) {
  const delayMs = Number(env.AUDIT_DELAY_SECONDS) * 1000;
  // Another call of this isolate is about to tell; and whoever waits longer than a Worker may is swept before.
  if (Date.now() < nextDelivery || delayMs > LONGEST_WAIT_MS) return;
  nextDelivery = Date.now() + delayMs;
  // Imported when it is needed: only Workers have the module, and the declarations of operations are read elsewhere too.
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(
    new Promise((resolve) => setTimeout(resolve, delayMs)).then(() => deliverAudit(env)).catch(() => undefined),
  );
}

async function deliverSome(db: Database, env: FleetEnv) {
  const rows = await db.select().from(auditOutbox).orderBy(asc(sql`rowid`)).limit(DELIVERED);
  if (rows.length === 0) return 0;
  await env.AUDIT.record(rows.map(({ entry }) => entry));
  const ids = rows.map(({ event_id }) => event_id);
  await db.delete(auditOutbox).where(among(auditOutbox.event_id, ids));
  return rows.length;
}

let nextDelivery = 0;
const DELIVERED = 500;
const LONGEST_WAIT_MS = 25_000;
