import { and, eq, type SQL, sql } from "drizzle-orm";
import { tariff } from "../table/registration/tariff.ts";
import { source } from "../table/tracker/source.ts";

/** Of a source: that the tariff is its dealer's. */
export function isOfSourceDealer(tariff_id: number, condition?: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${tariff}
    WHERE ${and(eq(tariff.id, tariff_id), eq(tariff.dealer_id, source.dealer_id), condition)})`;
}

/** The same, and that trackers may have it. */
export function isForTrackers(tariff_id: number): SQL {
  return isOfSourceDealer(tariff_id, and(eq(tariff.active, true), eq(tariff.device_type, "tracker")));
}

/** The same as the first, and that it has room for one more of the account's devices. */
export function hasQuota(tariff_id: number): SQL {
  const used = sql`SELECT count(*) FROM ${source} AS other
    WHERE other.account_id = ${source.account_id} AND other.tariff_id = ${tariff_id} AND other.id <> ${source.id}`;
  return isOfSourceDealer(tariff_id, sql`(${used}) < ${tariff.device_limit}`);
}
