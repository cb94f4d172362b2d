import { sql } from "drizzle-orm";
import { source } from "../table/source.ts";
import { tariff } from "../table/tariff.ts";

/** Of a source: whether the tariff is its dealer's, may be given to devices, and has room for one more of the account's. */
export function hasRoom(tariff_id: number) {
  const used = sql`SELECT count(*) FROM ${source} AS other
    WHERE other.account_id = ${source.account_id} AND other.tariff_id = ${tariff_id} AND other.id <> ${source.id}`;
  return sql`EXISTS (SELECT 1 FROM ${tariff} WHERE ${tariff.id} = ${tariff_id} AND ${tariff.dealer_id} = ${source.dealer_id}
    AND ${tariff.active} AND ${tariff.device_type} = 'tracker' AND (${used}) < ${tariff.device_limit})`;
}
