import { and, eq, getTableColumns, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { rule } from "../table/rule/rule.ts";
import { ruleTracker } from "../table/rule/rule-tracker.ts";
import { ruleZone } from "../table/rule/rule-zone.ts";
import { pageOfRows, type Rest, weighedIds } from "../zone/weighed-queries.ts";
import { type ShownRule, toRule } from "./schema.ts";

/** A private rule is its author's alone; a sub-user sees others by their trackers, and those that it made. */
export function visibleRules(principal: Principal, ...conditions: (SQL | undefined)[]) {
  const { kind, user_id, scope } = principal;
  const open = or(isNull(rule.private_to), eq(rule.private_to, user_id));
  const shown =
    kind === "subuser" && scope !== "all"
      ? or(eq(rule.author_id, user_id), isOn(among(ruleTracker.tracker_id, scope)))
      : undefined;
  return visibleTo(principal, rule, open, shown, ...conditions);
}

/** The rules that the caller sees, or those of a tracker, by id, page after page. */
export async function selectRules(db: Database, principal: Principal, tracker_id: number | null) {
  const ofTracker = tracker_id === null ? undefined : isOn(eq(ruleTracker.tracker_id, tracker_id));
  const rest: Rest = { condition: visibleRules(principal, ofTracker), offset: 0 };
  const ask = (part: Rest) => rowsOf(db, principal, part);
  return pageOfRows(await ask(rest), rest, ({ found, ...row }) => toRule(row), ask);
}

/** The rule with what is ours alone, for whoever is to change it. */
export async function requireCurrentRule(db: Database, principal: Principal, id: number): Promise<ShownRule> {
  const [row] = await db
    .select(shownOf(principal))
    .from(rule)
    .where(visibleRules(principal, eq(rule.id, id)));
  if (!row) throw new ApiError(201);
  return row;
}

async function rowsOf(db: Database, principal: Principal, rest: Rest) {
  const weight = sql`${RULE_BYTES} + ${ID_BYTES} * (${countOf(ruleZone)} + ${countOf(ruleTracker)})`;
  const { ids, fits, order } = weighedIds(db, rule, weight, rest);
  return db
    .select({ ...shownOf(principal), found: ids.found })
    .from(ids)
    .innerJoin(rule, eq(rule.id, ids.id))
    .where(fits)
    .orderBy(...order);
}

/** Trackers that are hidden from the caller are left out. */
function shownOf({ scope }: Principal) {
  const seen = scope === "all" ? undefined : among(ruleTracker.tracker_id, scope);
  return {
    ...getTableColumns(rule),
    zone_ids: listOf(
      sql`SELECT ${ruleZone.zone_id} AS id FROM ${ruleZone} WHERE ${eq(ruleZone.rule_id, rule.id)} ORDER BY 1`,
    ),
    trackers: listOf(
      sql`SELECT ${ruleTracker.tracker_id} AS id FROM ${ruleTracker} WHERE ${and(eq(ruleTracker.rule_id, rule.id), seen)} ORDER BY 1`,
    ),
  };
}

function listOf(ids: SQL) {
  return sql<number[]>`(SELECT json_group_array(id) FROM (${ids}))`.mapWith((text: string) => JSON.parse(text));
}

function countOf(table: typeof ruleZone | typeof ruleTracker) {
  return sql`(SELECT count(*) FROM ${table} WHERE ${eq(table.rule_id, rule.id)})`;
}

function isOn(condition: SQL) {
  return sql`EXISTS (SELECT 1 FROM ${ruleTracker} WHERE ${and(eq(ruleTracker.rule_id, rule.id), condition)})`;
}

/** What a rule takes at the most in an answer, and each id of its lists. */
const RULE_BYTES = 60_000;
const ID_BYTES = 11;
