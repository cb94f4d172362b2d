import { asc, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { gaugeChange } from "../table/outbox/gauge-change.ts";

export type GaugeChange = typeof gaugeChange.$inferSelect;

/** An account is there once, so that the first of them are everybody's turn. */
export function selectGaugeChanges(db: Database, limit: number): Promise<GaugeChange[]> {
  return db.select().from(gaugeChange).orderBy(asc(gaugeChange.account_id)).limit(limit).all();
}

/** Those in which nothing has changed since they were read. */
export async function removeGaugeChanges(db: Database, rows: GaugeChange[]) {
  await db.delete(gaugeChange).where(
    sql`(${gaugeChange.account_id}, ${gaugeChange.revision}) IN
      (SELECT value ->> 'account_id', value ->> 'revision' FROM json_each(${JSON.stringify(rows)}))`,
  );
}
