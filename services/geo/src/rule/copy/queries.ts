import { and, asc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { rule } from "../../table/rule/rule.ts";
import { ruleRevision } from "../../table/rule/rule-revision.ts";
import { ruleTracker } from "../../table/rule/rule-tracker.ts";
import { ruleZone } from "../../table/rule/rule-zone.ts";
import { zone } from "../../table/zone/zone.ts";
import { zoneOutline } from "../../table/zone/zone-outline.ts";

/**
 * The revision of an account's rules and the time zone of their schedules; no row for an account that never had rules.
 */
export function selectVersion(db: Database, account_id: number) {
  return db.select().from(ruleRevision).where(eq(ruleRevision.account_id, account_id));
}

/** A page of active rules, of trackers with their rules, and of zones with theirs, each after the given id. */
export function selectRulePage(
  db: Database,
  account_id: number,
  after: { rule: number; tracker: number; zone: number },
) {
  return read(db, {
    versions: selectVersion(db, account_id),
    rules: db
      .select()
      .from(rule)
      .where(and(eq(rule.account_id, account_id), eq(rule.suspended, false), gt(rule.id, after.rule)))
      .orderBy(asc(rule.id))
      .limit(MAX_RULES_PER_PAGE),
    trackers: db
      .select({ tracker_id: ruleTracker.tracker_id, rules: sql<string>`json_group_array(${ruleTracker.rule_id})` })
      .from(ruleTracker)
      .where(and(eq(ruleTracker.account_id, account_id), gt(ruleTracker.tracker_id, after.tracker)))
      .groupBy(ruleTracker.tracker_id)
      .orderBy(asc(ruleTracker.tracker_id))
      .limit(MAX_TRACKERS_PER_PAGE),
    zones: db
      .select({
        ...ZONE_COLUMNS,
        rules: sql<string>`(SELECT json_group_array(${ruleZone.rule_id}) FROM ${ruleZone} WHERE ${ruleZone.account_id} = ${account_id} AND ${ruleZone.zone_id} = ${zone.id})`,
      })
      .from(zone)
      .where(
        and(
          eq(zone.account_id, account_id),
          gt(zone.id, after.zone),
          sql`${zone.id} IN (SELECT ${ruleZone.zone_id} FROM ${ruleZone} WHERE ${ruleZone.account_id} = ${account_id})`,
        ),
      )
      .orderBy(asc(zone.id))
      .limit(MAX_ZONES_PER_PAGE),
  });
}
export type RulePage = Awaited<ReturnType<typeof selectRulePage>>;

/** Zones with their points; the caller limits how many. */
export function selectOutlines(db: Database, account_id: number, zone_ids: number[]) {
  return db
    .select({ ...ZONE_COLUMNS, points: zoneOutline.points, holes: zoneOutline.holes })
    .from(zone)
    .leftJoin(zoneOutline, eq(zoneOutline.zone_id, zone.id))
    .where(and(eq(zone.account_id, account_id), among(zone.id, zone_ids)))
    .all();
}

const { id, label, type, radius, south, west, north, east, point_count, revision } = getTableColumns(zone);
const ZONE_COLUMNS = { id, label, type, radius, south, west, north, east, point_count, revision };

export const MAX_RULES_PER_PAGE = 100;
export const MAX_TRACKERS_PER_PAGE = 500;
export const MAX_ZONES_PER_PAGE = 5000;
