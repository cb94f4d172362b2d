import { asc, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { gaugeChange } from "../table/outbox/gauge-change.ts";

export type GaugeChange = typeof gaugeChange.$inferSelect;

/**
 * Accounts with changed sensors, in the order of their ids. Each has one row, so no account can keep others waiting.
 */
export function selectGaugeChanges(db: Database, limit: number): Promise<GaugeChange[]> {
  return db.select().from(gaugeChange).orderBy(asc(gaugeChange.account_id)).limit(limit).all();
}

/** Deletes the delivered rows, except those whose sensors changed again since they were read. */
export async function removeGaugeChanges(db: Database, rows: GaugeChange[]) {
  await db.delete(gaugeChange).where(
    sql`(${gaugeChange.account_id}, ${gaugeChange.revision}) IN
      (SELECT value ->> 'account_id', value ->> 'revision' FROM json_each(${JSON.stringify(rows)}))`,
  );
}
