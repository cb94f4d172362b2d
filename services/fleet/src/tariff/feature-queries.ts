import { type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Feature } from "#shared/contract/tracker/tariff.ts";
import { tariff } from "../table/registration/tariff.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";

/**
 * Condition: one of the account's trackers has the feature; for an account without trackers, the tariff of new trackers
 * has it.
 */
export function isOffered(feature: Feature, { account_id, default_tariff_id }: Principal): SQL {
  const any = sql`EXISTS (SELECT 1 FROM ${tracker} WHERE ${tracker.account_id} = ${account_id})`;
  const used = sql`SELECT ${source.tariff_id} FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id}
    WHERE ${tracker.account_id} = ${account_id}`;
  const has = sql`EXISTS (SELECT 1 FROM json_each(${tariff.features}) WHERE value = ${feature})`;
  return sql`EXISTS (SELECT 1 FROM ${tariff} WHERE ${has} AND iif(${any}, ${tariff.id} IN (${used}), ${tariff.id} = ${default_tariff_id}))`;
}
