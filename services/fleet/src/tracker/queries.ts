import { and, asc, count, eq, gt, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { StaffedTracker } from "#shared/contract/fleet.ts";
import type { Device } from "#shared/contract/tracker/device.ts";
import type { VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { mentionsAny } from "#shared/database/mentions.ts";
import { type Database, prepareOnce } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, callerOf, visibleTo, visibleToCaller } from "#shared/database/scope.ts";
import { demand, demandChange, write } from "#shared/database/steps.ts";
import type { Binding } from "#shared/database/tag-binding/queries.ts";
import { carriesRequestedTags } from "#shared/database/tag-binding/requested-tags.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { foldText } from "#shared/text/fold.ts";
import { insertEvents } from "../history/event-queries.ts";
import { recordChange } from "../outbox/audit.ts";
import { deviceOutbox } from "../table/outbox/device-outbox.ts";
import { employee } from "../table/people/employee.ts";
import { tariff } from "../table/registration/tariff.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";
import { type SourceRow, source } from "../table/tracker/source.ts";
import { type TrackerRow, tracker } from "../table/tracker/tracker.ts";
import { vehicle } from "../table/vehicle/vehicle.ts";
import { bindingsOf } from "../tag/binding-queries.ts";
import { groupExists } from "./group/queries.ts";
import { visibleToOperator } from "./operator-queries.ts";
import { isVisible } from "./origin-queries.ts";
import { demandNotRemoved } from "./removed-queries.ts";

export type TrackerWithSource = { tracker: TrackerRow; source: SourceRow; tag_bindings: Binding[] };
/** `visibleTo` limits by the column `tracker_id`; for trackers that is their own id. */
const TRACKER_SCOPE = { account_id: tracker.account_id, tracker_id: tracker.id };
const origin = alias(tracker, "origin");

/** Those of the trackers that the principal sees, in one prepareOnce query. */
export async function selectVisible(db: Database, principal: Principal, ids: number[]): Promise<VisibleTracker[]> {
  return visibleStatement(db).all({ ...callerOf(principal), ids: JSON.stringify(ids) });
}

/** Those of the trackers that the principal sees, with the employee and vehicle on each, in one prepareOnce query. */
export async function selectStaffed(db: Database, principal: Principal, ids: number[]): Promise<StaffedTracker[]> {
  return staffedStatement(db).all({ ...callerOf(principal), ids: JSON.stringify(ids) });
}

/** The trackers that the principal sees, lowest ids first, at most `limit`. */
export async function selectAllVisible(db: Database, principal: Principal, limit: number): Promise<VisibleTracker[]> {
  return selectVisibleColumns(db).where(visibleTo(principal, TRACKER_SCOPE)).orderBy(asc(tracker.id)).limit(limit);
}

/** The query for those of the trackers that the principal sees, for a batch. */
export function selectVisibleRows(db: Database, principal: Principal, ids: number[]) {
  return selectVisibleColumns(db).where(visibleTo(principal, TRACKER_SCOPE, among(tracker.id, ids)));
}

const IS_REQUESTED = visibleToCaller(
  TRACKER_SCOPE,
  sql`${tracker.id} IN (SELECT value FROM json_each(${sql.placeholder("ids")}))`,
);
const visibleStatement = prepareOnce((db) => selectVisibleColumns(db).where(IS_REQUESTED).prepare());
const staffedStatement = prepareOnce((db) => selectWithCrew(db).where(IS_REQUESTED).prepare());

export function requireTracker(db: Database, principal: Principal, id: number): Promise<TrackerWithSource> {
  return requireWhere(db, principal, eq(tracker.id, id));
}

/** The tracker with which the source was registered. */
export function requireTrackerOfSource(
  db: Database,
  principal: Principal,
  source_id: number,
): Promise<TrackerWithSource> {
  return requireWhere(db, principal, eq(tracker.source_id, source_id));
}

async function requireWhere(db: Database, principal: Principal, condition: SQL): Promise<TrackerWithSource> {
  const row = await selectWithSource(db)
    .where(visibleTo(principal, TRACKER_SCOPE, condition))
    .get();
  if (!row) throw new ApiError(201);
  return row;
}

/** The query for a tracker that an employee or vehicle shall get; its rows are for `requireBindable`. */
export function selectBindable(db: Database, principal: Principal, id: number) {
  return db
    .select({ blocked: source.blocked })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .where(visibleTo(principal, TRACKER_SCOPE, eq(tracker.id, id)));
}

/** Refuses a tracker for an employee or vehicle unless it is visible and not blocked. */
export function requireBindable([found]: { blocked: boolean }[], parameter: string) {
  if (!found) throw invalid(parameter, "is not a tracker of yours");
  if (found.blocked) throw invalid(parameter, "is a blocked tracker");
}

/** Condition: the label contains one of the texts. */
export function hasLabelWith(labels: string[]): SQL {
  return mentionsAny(tracker.label_folded, labels);
}

/** The visible trackers that match the condition, by id, in pages. */
export async function selectTrackers(
  db: Database,
  principal: Principal,
  condition: SQL | undefined,
  after = 0,
): Promise<Page<TrackerWithSource>> {
  const items = await selectWithSource(db)
    .where(visibleTo(principal, TRACKER_SCOPE, gt(tracker.id, after), condition))
    .orderBy(asc(tracker.id))
    .limit(MAX_ROWS_PER_PAGE);
  return pageFrom(items, (last) => selectTrackers(db, principal, condition, last));
}

/** The visible trackers that carry all of the tags of `requestedTags`, by id, in pages. */
export async function selectTaggedTrackers(
  db: Database,
  principal: Principal,
  tagParameters: Record<string, unknown>,
  after = 0,
): Promise<Page<TrackerWithSource>> {
  const items = await taggedStatement(db).all({ ...callerOf(principal), ...tagParameters, after });
  return pageFrom(items, (last) => selectTaggedTrackers(db, principal, tagParameters, last));
}
const taggedStatement = prepareOnce((db) => {
  const carries = carriesRequestedTags(tagBinding, "tracker", tracker.id);
  return selectWithSource(db)
    .where(visibleToCaller(TRACKER_SCOPE, gt(tracker.id, sql.placeholder("after")), carries))
    .orderBy(asc(tracker.id))
    .limit(MAX_ROWS_PER_PAGE)
    .prepare();
});

/** Those of the trackers that have one of the tags, among the visible ones. */
export function selectWithAnyTag(db: Database, principal: Principal, tag_ids: number[], tracker_ids: number[]) {
  const bindings = db
    .select({ id: tagBinding.entity_id })
    .from(tagBinding)
    .where(
      and(
        eq(tagBinding.account_id, principal.account_id),
        among(tagBinding.tag_id, tag_ids),
        eq(tagBinding.entity_type, "tracker"),
      ),
    );
  return db
    .select({ id: tracker.id })
    .from(tracker)
    .where(visibleTo(principal, TRACKER_SCOPE, among(tracker.id, tracker_ids), sql`${tracker.id} IN ${bindings}`));
}

function pageFrom(items: TrackerWithSource[], next: (last: number) => Promise<Page<TrackerWithSource>>) {
  const last = items.at(-1);
  const isFull = items.length === MAX_ROWS_PER_PAGE && last;
  return { items, next: isFull ? () => next(last.tracker.id) : undefined };
}

/** The query for the visible trackers with exactly these labels. */
export function selectByLabels(db: Database, principal: Principal, labels: string[]) {
  return db
    .select({ id: tracker.id, label: tracker.label, blocked: source.blocked })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .where(visibleTo(principal, TRACKER_SCOPE, among(tracker.label, labels)));
}

export async function changeSettings(
  db: Database,
  principal: Principal,
  id: number,
  { label, group_id }: { label: string; group_id: number },
  actor: Actor,
) {
  const own = visibleTo(principal, TRACKER_SCOPE, eq(tracker.id, id));
  const renameEvent = {
    event_id: crypto.randomUUID(),
    account_id: principal.account_id,
    tracker_id: id,
    event: "tracker_rename" as const,
    time: actor.action_date,
    message: label,
  };
  await write(db, {
    visible: demand(isVisible(principal, id), () => new ApiError(201)),
    open: demand(isVisible(principal, id, eq(source.blocked, false)), () => new ApiError(208)),
    group: demand(groupExists(principal, group_id), () => new ApiError(204)),
    event: insertEvents(
      db,
      [renameEvent],
      actor.action_date,
      visibleTo(principal, TRACKER_SCOPE, ne(tracker.label, label)),
    ),
    update: db
      .update(tracker)
      .set({ label, label_folded: foldText(label), group_id })
      .where(own),
    record: recordChange(db, actor, { is: ["tracker", "update"], entry_id: id, payload: { label, group_id } }),
  });
}

/**
 * Blocks or unblocks a device on behalf of an operator; operators with the permission `global` reach devices of all
 * dealers.
 */
export async function blockSource(
  db: Database,
  principal: Principal,
  tracker_id: number,
  blocked: boolean,
  actor: Actor,
) {
  const target = sql`${source.id} = (SELECT ${tracker.source_id} FROM ${tracker} WHERE ${tracker.id} = ${tracker_id})`;
  const account_id = sql`(SELECT ${source.account_id} FROM ${source} WHERE ${target})`;
  const action = blocked ? "block" : "unblock";
  const { originals } = await write(db, {
    present: demandNotRemoved(db, principal, tracker_id),
    update: db
      .update(source)
      .set({ blocked, revision: sql`${source.revision} + 1` })
      .where(visibleToOperator(principal, source, target)),
    existing: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["tracker", action], entry_id: tracker_id, account_id }),
    message: db
      .insert(deviceOutbox)
      .select(sql`SELECT NULL, ${source.account_id}, ${source.id} FROM ${source} WHERE ${target}`),
    originals: selectWithSource(db).where(and(target, eq(tracker.clone, false))),
  });
  return toDevice(onlyRow(originals));
}

/** The device as geo receives it. */
export function toDevice({ tracker, source }: Pick<TrackerWithSource, "tracker" | "source">): Device {
  const { id: source_id, account_id, device_id, model, blocked, revision } = source;
  return { tracker_id: tracker.id, account_id, source_id, device_id, model, blocked, revision };
}

/** The number of trackers of each account, for operators; accounts without trackers are left out. */
export async function countTrackers(db: Database, accounts: number[]): Promise<Record<number, number>> {
  const rows = await db
    .select({ account_id: tracker.account_id, count: count() })
    .from(tracker)
    .where(among(tracker.account_id, accounts))
    .groupBy(tracker.account_id);
  return Object.fromEntries(rows.map((row) => [row.account_id, row.count]));
}

function selectVisibleColumns(db: Database) {
  return db
    .select(VISIBLE_COLUMNS)
    .from(tracker)
    .innerJoin(source, ofSource)
    .innerJoin(tariff, ofTariff)
    .innerJoin(origin, isOrigin)
    .leftJoin(vehicle, hasVehicle)
    .$dynamic();
}

function selectWithCrew(db: Database) {
  const { id, first_name, middle_name, last_name, name_folded } = employee;
  return db
    .select({
      ...VISIBLE_COLUMNS,
      employee: { id, first_name, middle_name, last_name, name_folded },
      vehicle_label: vehicle.label,
    })
    .from(tracker)
    .innerJoin(source, ofSource)
    .innerJoin(tariff, ofTariff)
    .innerJoin(origin, isOrigin)
    .leftJoin(vehicle, hasVehicle)
    .leftJoin(employee, and(eq(employee.account_id, tracker.account_id), eq(employee.tracker_id, tracker.id)));
}

const ofSource = eq(source.id, tracker.source_id);
const ofTariff = eq(tariff.id, source.tariff_id);
const isOrigin = sql`${origin.source_id} = ${source.id} AND NOT ${origin.clone}`;
const hasVehicle = and(eq(vehicle.account_id, tracker.account_id), eq(vehicle.tracker_id, tracker.id));
/** The columns of a tracker that other services and contexts receive. */
const VISIBLE_COLUMNS = {
  tracker_id: tracker.id,
  label: tracker.label,
  source_id: source.id,
  model: source.model,
  creation_date: source.creation_date,
  clone: tracker.clone,
  blocked: source.blocked,
  feed: { account_id: origin.account_id, tracker_id: origin.id },
  features: tariff.features,
  has_reports: tariff.has_reports,
  store_period: tariff.store_period,
  norm_avg_fuel_consumption: vehicle.norm_avg_fuel_consumption,
};

function selectWithSource(db: Database) {
  return db
    .select({ tracker, source, tag_bindings: bindingsOf("tracker", tracker.id) })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .$dynamic();
}

/** A page of the longest rows is some 5 MB. */
const MAX_ROWS_PER_PAGE = 2000;
