import { sql } from "drizzle-orm";
import { source } from "../table/source.ts";
import { plan } from "../table/tariff.ts";

/** Of a source: whether the plan is its dealer's, may be given to devices, and has room for one more of the account's. */
export function hasRoom(tariff_id: number) {
  const used = sql`SELECT count(*) FROM ${source} AS other
    WHERE other.account_id = ${source.account_id} AND other.tariff_id = ${tariff_id} AND other.id <> ${source.id}`;
  return sql`EXISTS (SELECT 1 FROM ${plan} WHERE ${plan.id} = ${tariff_id} AND ${plan.dealer_id} = ${source.dealer_id}
    AND ${plan.active} AND ${plan.device_type} = 'tracker' AND (${used}) < ${plan.device_limit})`;
}
