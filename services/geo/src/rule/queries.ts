import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { AccountZone } from "#shared/contract/tasks.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { demand, outdatedError, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { recordChange } from "../audit-outbox.ts";
import { rule } from "../table/rule/rule.ts";
import { ruleRevision } from "../table/rule/rule-revision.ts";
import { ruleTracker } from "../table/rule/rule-tracker.ts";
import { ruleZone } from "../table/rule/rule-zone.ts";
import { zone } from "../table/zone/zone.ts";
import { visibleZones } from "../zone/list-queries.ts";
import { type NewRule, numberIntervals, type RuleWithLinks } from "./schema.ts";
import { visibleRules } from "./visible-queries.ts";

/** Inserts a rule on `trackers`, which the caller must see. */
export async function insertRule(db: Database, principal: Principal, input: NewRule, trackers: number[], actor: Actor) {
  const { account_id, user_id } = principal;
  const { inserted } = await write(db, {
    ...demandZones(principal, input),
    hasQuota: demandQuota(principal, "rules", rule, 1),
    inserted: db
      .insert(rule)
      .values({
        ...toColumns(principal, input),
        ...numberIntervals(input.schedule, [], 1),
        account_id,
        author_id: user_id,
        auto_created: false,
      })
      .returning({ id: rule.id }),
    recorded: recordChange(db, actor, {
      is: ["rule", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: summaryOf(input),
    }),
    zones: input.zone_ids.length > 0 ? linkZones(db, account_id, NEWEST_RULE_ID, input.zone_ids) : undefined,
    trackers: trackers.length > 0 ? insertBindings(db, account_id, NEWEST_RULE_ID, trackers) : undefined,
    revision: raiseRevision(db, principal),
  });
  return onlyRow(inserted).id;
}

type RuleChange = {
  id: number;
  current: RuleWithLinks;
  members: NewRule;
  /** Trackers that the caller sees; undefined: the rule keeps its trackers. */
  trackers: number[] | undefined;
};

/** Updates a rule unless it changed since `current` was read. Trackers that the caller cannot see stay bound. */
export async function changeRule(
  db: Database,
  principal: Principal,
  { id, current, members, trackers }: RuleChange,
  actor: Actor,
) {
  const { account_id } = principal;
  const own = visibleRules(principal, eq(rule.id, id));
  const removedBindings = and(
    eq(ruleTracker.account_id, account_id),
    eq(ruleTracker.rule_id, id),
    isVisibleAndNotIn(principal, JSON.stringify(trackers ?? [])),
  );
  await write(db, {
    isCurrent: demand(hasRule(and(own, eq(rule.revision, current.revision))), outdatedError),
    ...demandZones(principal, members, id),
    updated: db
      .update(rule)
      .set({
        ...toColumns(principal, members, current.private_to),
        ...numberIntervals(members.schedule, current.schedule, current.next_interval),
      })
      .where(own),
    recorded: recordChange(db, actor, { is: ["rule", "update"], entry_id: id, payload: summaryOf(members) }),
    unnamed: db.delete(ruleZone).where(and(eq(ruleZone.account_id, account_id), eq(ruleZone.rule_id, id))),
    zones: members.zone_ids.length > 0 ? linkZones(db, account_id, sql`${id}`, members.zone_ids) : undefined,
    unbound: trackers && db.delete(ruleTracker).where(removedBindings),
    trackers: trackers && trackers.length > 0 ? insertBindings(db, account_id, sql`${id}`, trackers) : undefined,
    revision: raiseRevision(db, principal),
  });
}

export async function removeRule(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = visibleRules(principal, eq(rule.id, id));
  await write(db, {
    isThere: demand(hasRule(own), () => new ApiError(201)),
    removed: db.delete(rule).where(own),
    recorded: recordChange(db, actor, { is: ["rule", "delete"], entry_id: id }),
    zones: db.delete(ruleZone).where(and(eq(ruleZone.account_id, principal.account_id), eq(ruleZone.rule_id, id))),
    trackers: db
      .delete(ruleTracker)
      .where(and(eq(ruleTracker.account_id, principal.account_id), eq(ruleTracker.rule_id, id))),
    revision: raiseRevision(db, principal),
  });
}

/** Binds a rule to `trackers`, which the caller must see; existing bindings stay. */
export async function bindTrackers(db: Database, principal: Principal, id: number, trackers: number[], actor: Actor) {
  await write(db, {
    isThere: demand(hasRule(visibleRules(principal, eq(rule.id, id))), () => new ApiError(201)),
    bound: insertBindings(db, principal.account_id, sql`${id}`, trackers),
    recorded: recordChange(db, actor, { is: ["rule", "bind"], entry_id: id, payload: { trackers: trackers.length } }),
    revision: raiseRevision(db, principal),
  });
}

export async function unbindTrackers(db: Database, principal: Principal, id: number, trackers: number[], actor: Actor) {
  const { account_id, scope } = principal;
  const seen = scope === "all" ? undefined : among(ruleTracker.tracker_id, scope);
  const bound = and(eq(ruleTracker.account_id, account_id), eq(ruleTracker.rule_id, id), seen);
  await write(db, {
    isThere: demand(hasRule(visibleRules(principal, eq(rule.id, id))), () => new ApiError(201)),
    unbound: db.delete(ruleTracker).where(and(bound, among(ruleTracker.tracker_id, trackers))),
    recorded: recordChange(db, actor, { is: ["rule", "unbind"], entry_id: id, payload: { trackers: trackers.length } }),
    revision: raiseRevision(db, principal),
  });
}

/** Stores the accounts' time zones, in which schedules are read. Messages with an older revision are ignored. */
export async function upsertTimeZones(db: Database, zones: AccountZone[]) {
  if (zones.length === 0) return;
  await write(db, {
    remembered: db
      .insert(ruleRevision)
      .values(zones.map(({ account_id, time_zone, revision }) => ({ account_id, time_zone, zone_revision: revision })))
      .onConflictDoUpdate({
        target: ruleRevision.account_id,
        set: {
          time_zone: sql`excluded.time_zone`,
          zone_revision: sql`excluded.zone_revision`,
          revision: sql`${ruleRevision.revision} + 1`,
        },
        setWhere: sql`excluded.zone_revision > ${ruleRevision.zone_revision}`,
      }),
  });
}

/** Unbinds trackers that were deleted for good from all rules. */
export async function unbindRemovedTrackers(db: Database, trackers: { account_id: number; tracker_id: number }[]) {
  if (trackers.length === 0) return;
  const ids = trackers.map(({ tracker_id }) => tracker_id);
  await db
    .delete(ruleTracker)
    .where(
      and(
        inArray(ruleTracker.account_id, [...new Set(trackers.map(({ account_id }) => account_id))]),
        among(ruleTracker.tracker_id, ids),
      ),
    );
}

/** Statements that delete rules only these users can see, for the transaction that deletes the users. */
export function deletePrivateRules(db: Database, user_ids: number[]) {
  const own = and(isNotNull(rule.private_to), among(rule.private_to, user_ids));
  const ids = sql`(SELECT ${rule.id} FROM ${rule} WHERE ${own})`;
  return [
    db.delete(ruleZone).where(sql`${ruleZone.rule_id} IN ${ids}`),
    db.delete(ruleTracker).where(sql`${ruleTracker.rule_id} IN ${ids}`),
    db
      .update(ruleRevision)
      .set({ revision: sql`${ruleRevision.revision} + 1` })
      .where(sql`${ruleRevision.account_id} IN (SELECT ${rule.account_id} FROM ${rule} WHERE ${own})`),
    db.delete(rule).where(own),
  ];
}

/** Demands that the caller sees every zone, or that the rule names it already; a route's zones must be sausages. */
function demandZones(principal: Principal, { type, zone_ids }: NewRule, rule_id = 0) {
  const ids = [...new Set(zone_ids)];
  if (ids.length === 0) return {};
  const seen = sql`${zone.id} IN (SELECT ${zone.id} FROM ${zone} WHERE ${visibleZones(principal, among(zone.id, ids))})`;
  const bound = sql`${zone.id} IN (SELECT ${ruleZone.zone_id} FROM ${ruleZone} WHERE ${eq(ruleZone.rule_id, rule_id)})`;
  const own = and(eq(zone.account_id, principal.account_id), among(zone.id, ids), sql`(${seen} OR ${bound})`);
  const others = sql`EXISTS (SELECT 1 FROM ${zone} WHERE ${own} AND ${zone.type} <> 'sausage')`;
  return {
    areThere: demand(sql`(SELECT count(*) FROM ${zone} WHERE ${own}) = ${ids.length}`, () => new ApiError(204)),
    areRoutes:
      type === "route"
        ? demand(sql`NOT ${others}`, () => invalid("rule.zone_ids", "must be sausages for this type"))
        : undefined,
  };
}

function toColumns(principal: Principal, { zone_ids, trackers, schedule, ...members }: NewRule, owner?: number | null) {
  const isPrivate = members.extended_params.private_rule === true;
  // Only sub-users can have private rules: a master's rules are visible to everyone who sees their trackers.
  const maker = principal.kind === "subuser" ? principal.user_id : null;
  return { ...members, private_to: isPrivate ? (owner ?? maker) : null };
}

function linkZones(db: Database, account_id: number, rule_id: SQL, zone_ids: number[]) {
  return db
    .insert(ruleZone)
    .select(
      sql`SELECT DISTINCT ${account_id}, ${rule_id}, value FROM json_each(${JSON.stringify(zone_ids)}) WHERE TRUE`,
    )
    .onConflictDoNothing();
}

function insertBindings(db: Database, account_id: number, rule_id: SQL, trackers: number[]) {
  return db
    .insert(ruleTracker)
    .select(
      sql`SELECT DISTINCT ${account_id}, ${rule_id}, value FROM json_each(${JSON.stringify(trackers)}) WHERE TRUE`,
    )
    .onConflictDoNothing();
}

/** Matches the rule's trackers that the caller sees and that are not in the JSON array `kept`. */
function isVisibleAndNotIn({ scope }: Principal, kept: string) {
  const others = sql`${ruleTracker.tracker_id} NOT IN (SELECT value FROM json_each(${kept}))`;
  return scope === "all" ? others : and(others, among(ruleTracker.tracker_id, scope));
}

/** Raises the revision of the account's rules, which makes all copies of them outdated. */
function raiseRevision(db: Database, { account_id, account_time_zone }: Principal) {
  return db
    .insert(ruleRevision)
    .values({ account_id, time_zone: account_time_zone, revision: 1 })
    .onConflictDoUpdate({ target: ruleRevision.account_id, set: { revision: sql`${ruleRevision.revision} + 1` } });
}

function hasRule(condition: SQL | undefined) {
  return sql`EXISTS (SELECT 1 FROM ${rule} WHERE ${condition})`;
}

/** The payload of a record in the audit log. */
function summaryOf({ name, type }: NewRule) {
  return { name, type };
}

const NEWEST_RULE_ID = sql`(SELECT max(id) FROM ${rule})`;
