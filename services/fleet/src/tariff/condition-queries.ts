import { and, eq, type SQL, sql } from "drizzle-orm";
import { tariff } from "../table/registration/tariff.ts";
import { source } from "../table/tracker/source.ts";

/** Condition on `source`: the tariff belongs to its dealer. */
export function isOfSourceDealer(tariff_id: number, condition?: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${tariff}
    WHERE ${and(eq(tariff.id, tariff_id), eq(tariff.dealer_id, source.dealer_id), condition)})`;
}

/** Condition on `source`: the tariff belongs to its dealer, is active and meant for trackers. */
export function isForTrackers(tariff_id: number): SQL {
  return isOfSourceDealer(tariff_id, and(eq(tariff.active, true), eq(tariff.device_type, "tracker")));
}

/** Condition on `source`: the tariff belongs to its dealer, and the account may have one more device with it. */
export function hasQuota(tariff_id: number): SQL {
  const used = sql`SELECT count(*) FROM ${source} AS other
    WHERE other.account_id = ${source.account_id} AND other.tariff_id = ${tariff_id} AND other.id <> ${source.id}`;
  return isOfSourceDealer(tariff_id, sql`(${used}) < ${tariff.device_limit}`);
}
