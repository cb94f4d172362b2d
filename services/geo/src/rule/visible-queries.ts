import { and, eq, getTableColumns, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type ListWindow, pageAt } from "#shared/operation/list-answer.ts";
import { rule } from "../table/rule/rule.ts";
import { ruleTracker } from "../table/rule/rule-tracker.ts";
import { ruleZone } from "../table/rule/rule-zone.ts";
import { MAX_ROWS_PER_PAGE, type PageRequest, selectWeighedIds } from "../zone/weighed-queries.ts";
import { type RuleWithLinks, toRule } from "./schema.ts";

/**
 * Rules that the caller sees: private ones only by their owner; a sub-user sees the rules of its trackers and its own.
 */
export function visibleRules(principal: Principal, ...conditions: (SQL | undefined)[]) {
  const { kind, user_id, scope } = principal;
  const open = or(isNull(rule.private_to), eq(rule.private_to, user_id));
  const visible =
    kind === "subuser" && scope !== "all"
      ? or(eq(rule.author_id, user_id), isOnTracker(among(ruleTracker.tracker_id, scope)))
      : undefined;
  return visibleTo(principal, rule, open, visible, ...conditions);
}

/** The caller's rules, or those on one tracker, ordered by id in pages. */
export async function selectRules(db: Database, principal: Principal, tracker_id: number | null) {
  const ofTracker = tracker_id === null ? undefined : isOnTracker(eq(ruleTracker.tracker_id, tracker_id));
  const first: PageRequest = { condition: visibleRules(principal, ofTracker), offset: 0 };
  const read = (window: ListWindow) => selectRuleRows(db, principal, { ...first, ...window });
  const toItem = ({ candidates, ...row }: RuleRow) => toRule(row);
  return pageAt(await read(first), first, { size: MAX_ROWS_PER_PAGE, read, toItem });
}

/** The rule as stored, with internal columns, for an update. */
export async function requireCurrentRule(db: Database, principal: Principal, id: number): Promise<RuleWithLinks> {
  const [row] = await db
    .select(ruleColumns(principal))
    .from(rule)
    .where(visibleRules(principal, eq(rule.id, id)));
  if (!row) throw new ApiError(201);
  return row;
}

async function selectRuleRows(db: Database, principal: Principal, request: PageRequest) {
  const weight = sql`${MAX_RULE_BYTES} + ${MAX_ID_BYTES} * (${countOf(ruleZone)} + ${countOf(ruleTracker)})`;
  const weighed = selectWeighedIds(db, rule, weight, request);
  return db
    .select({ ...ruleColumns(principal), candidates: weighed.candidates })
    .from(weighed.table)
    .innerJoin(rule, eq(rule.id, weighed.id))
    .where(weighed.fits)
    .orderBy(weighed.ordinal);
}

type RuleRow = Awaited<ReturnType<typeof selectRuleRows>>[number];

/** Columns of a rule with the ids of its zones, and of its trackers as far as the caller sees them. */
function ruleColumns({ scope }: Principal) {
  const seen = scope === "all" ? undefined : among(ruleTracker.tracker_id, scope);
  return {
    ...getTableColumns(rule),
    zone_ids: toIdList(
      sql`SELECT ${ruleZone.zone_id} AS id FROM ${ruleZone} WHERE ${eq(ruleZone.rule_id, rule.id)} ORDER BY 1`,
    ),
    trackers: toIdList(
      sql`SELECT ${ruleTracker.tracker_id} AS id FROM ${ruleTracker} WHERE ${and(eq(ruleTracker.rule_id, rule.id), seen)} ORDER BY 1`,
    ),
  };
}

function toIdList(ids: SQL) {
  return sql<number[]>`(SELECT json_group_array(id) FROM (${ids}))`.mapWith((text: string) => JSON.parse(text));
}

function countOf(table: typeof ruleZone | typeof ruleTracker) {
  return sql`(SELECT count(*) FROM ${table} WHERE ${eq(table.rule_id, rule.id)})`;
}

function isOnTracker(condition: SQL) {
  return sql`EXISTS (SELECT 1 FROM ${ruleTracker} WHERE ${and(eq(ruleTracker.rule_id, rule.id), condition)})`;
}

/** The largest size of a rule in an answer, without its ids, and of each id. */
const MAX_RULE_BYTES = 60_000;
const MAX_ID_BYTES = 11;
