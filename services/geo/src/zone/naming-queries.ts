import { and, eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { ruleZone } from "../table/rule/rule-zone.ts";

/** Rules that name any of the zones, including rules that the caller cannot see: they prevent deletion too. */
export async function selectNamingRules(db: Database, principal: Principal, zone_ids: number[]): Promise<number[]> {
  const rows = await db
    .selectDistinct({ id: ruleZone.rule_id })
    .from(ruleZone)
    .where(namesAnyOf(principal, zone_ids))
    .orderBy(ruleZone.rule_id);
  return rows.map(({ id }) => id);
}

/** Condition: a rule names one of the zones. */
export function isNamedByRule(principal: Principal, zone_ids: number[]) {
  return sql`EXISTS (SELECT 1 FROM ${ruleZone} WHERE ${namesAnyOf(principal, zone_ids)})`;
}

function namesAnyOf({ account_id }: Principal, zone_ids: number[]) {
  return and(eq(ruleZone.account_id, account_id), among(ruleZone.zone_id, zone_ids));
}
