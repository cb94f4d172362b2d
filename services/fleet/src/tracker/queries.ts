import { and, asc, count, eq, gt, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Device } from "#shared/contract/device.ts";
import type { StaffedTracker } from "#shared/contract/fleet.ts";
import type { VisibleTracker } from "#shared/contract/visible-tracker.ts";
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
import { storeEvents } from "../history/event-queries.ts";
import { recording } from "../outbox/audit.ts";
import { outbox } from "../table/device-outbox.ts";
import { employee } from "../table/employee.ts";
import { type SourceRow, source } from "../table/source.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { tariff } from "../table/tariff.ts";
import { type TrackerRow, tracker } from "../table/tracker.ts";
import { vehicle } from "../table/vehicle.ts";
import { bindingsOf } from "../tag/binding-queries.ts";
import { groupExists } from "./group/queries.ts";
import { ofDealer } from "./of-dealer-queries.ts";
import { isVisible } from "./origin-queries.ts";
import { demandNotRemoved } from "./removed-queries.ts";

export type TrackerWithSource = { tracker: TrackerRow; source: SourceRow; tag_bindings: Binding[] };
/** Of a tracker, the column that ties rows to a tracker is its own id. */
const scoped = { account_id: tracker.account_id, tracker_id: tracker.id };
const origin = alias(tracker, "origin");

/** All ids in one query; what the principal may not see is left out. */
export async function selectVisible(db: Database, principal: Principal, ids: number[]): Promise<VisibleTracker[]> {
  return visible(db).all({ ...callerOf(principal), ids: JSON.stringify(ids) });
}

/** The same, with who is on them. */
export async function selectStaffed(db: Database, principal: Principal, ids: number[]): Promise<StaffedTracker[]> {
  return staffed(db).all({ ...callerOf(principal), ids: JSON.stringify(ids) });
}

/** All that it may see, but no more than so many. */
export async function selectAllVisible(db: Database, principal: Principal, most: number): Promise<VisibleTracker[]> {
  return withAll(db).where(visibleTo(principal, scoped)).orderBy(asc(tracker.id)).limit(most);
}

/** The same, for a batch. */
export function visibleAmong(db: Database, principal: Principal, ids: number[]) {
  return withAll(db).where(visibleTo(principal, scoped, among(tracker.id, ids)));
}

const isAsked = visibleToCaller(scoped, sql`${tracker.id} IN (SELECT value FROM json_each(${sql.placeholder("ids")}))`);
const visible = prepareOnce((db) => withAll(db).where(isAsked).prepare());
const staffed = prepareOnce((db) => withCrew(db).where(isAsked).prepare());

export async function requireTracker(db: Database, principal: Principal, id: number): Promise<TrackerWithSource> {
  const row = await withSource(db)
    .where(visibleTo(principal, scoped, eq(tracker.id, id)))
    .get();
  if (!row) throw new ApiError(201);
  return row;
}

/** For a batch: the tracker that is to be bound to an object, for `requireBindable`. */
export function selectBindable(db: Database, principal: Principal, id: number) {
  return db
    .select({ blocked: source.blocked })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .where(visibleTo(principal, scoped, eq(tracker.id, id)));
}

/** Nothing but a visible tracker that is not blocked may be bound to an object. */
export function requireBindable([found]: { blocked: boolean }[], parameter: string) {
  if (!found) throw invalid(parameter, "is not a tracker of yours");
  if (found.blocked) throw invalid(parameter, "is a blocked tracker");
}

/** That the label contains any of the texts. */
export function labelled(labels: string[]): SQL {
  return mentionsAny(tracker.label_folded, labels);
}

/** Those that the condition picks, by id, page after page. */
export async function selectTrackers(
  db: Database,
  principal: Principal,
  condition: SQL | undefined,
  after = 0,
): Promise<Page<TrackerWithSource>> {
  const items = await withSource(db)
    .where(visibleTo(principal, scoped, gt(tracker.id, after), condition))
    .orderBy(asc(tracker.id))
    .limit(PAGE);
  return pageFrom(items, (last) => selectTrackers(db, principal, condition, last));
}

/** Those that carry all of the tags of `requestedTags`, by id, page after page. */
export async function selectTagged(
  db: Database,
  principal: Principal,
  asked: Record<string, unknown>,
  after = 0,
): Promise<Page<TrackerWithSource>> {
  const items = await tagged(db).all({ ...callerOf(principal), ...asked, after });
  return pageFrom(items, (last) => selectTagged(db, principal, asked, last));
}
const tagged = prepareOnce((db) => {
  const carries = carriesRequestedTags(tagBinding, "tracker", tracker.id);
  return withSource(db)
    .where(visibleToCaller(scoped, gt(tracker.id, sql.placeholder("after")), carries))
    .orderBy(asc(tracker.id))
    .limit(PAGE)
    .prepare();
});

function pageFrom(items: TrackerWithSource[], next: (last: number) => Promise<Page<TrackerWithSource>>) {
  const last = items.at(-1);
  const isFull = items.length === PAGE && last;
  return { items, next: isFull ? () => next(last.tracker.id) : undefined };
}

/** For a batch: the trackers with exactly these labels. */
export function selectByLabels(db: Database, principal: Principal, labels: string[]) {
  return db
    .select({ id: tracker.id, label: tracker.label, blocked: source.blocked })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .where(visibleTo(principal, scoped, among(tracker.label, labels)));
}

export async function changeSettings(
  db: Database,
  principal: Principal,
  id: number,
  { label, group_id }: { label: string; group_id: number },
  actor: Actor,
) {
  const own = visibleTo(principal, scoped, eq(tracker.id, id));
  const renamed = {
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
    event: storeEvents(db, [renamed], actor.action_date, visibleTo(principal, scoped, ne(tracker.label, label))),
    update: db
      .update(tracker)
      .set({ label, label_folded: foldText(label), group_id })
      .where(own),
    record: recording(db, actor, { is: ["tracker", "update"], entry_id: id, payload: { label, group_id } }),
  });
}

/** By the operator, whoever owns the device; `global` operators reach other dealers' devices too. */
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
      .where(ofDealer(principal, source, target)),
    existing: demandChange(() => new ApiError(201)),
    record: recording(db, actor, { is: ["tracker", action], entry_id: tracker_id, account_id }),
    word: db.insert(outbox).select(sql`SELECT NULL, ${source.account_id}, ${source.id} FROM ${source} WHERE ${target}`),
    originals: withSource(db).where(and(target, eq(tracker.clone, false))),
  });
  return toDevice(onlyRow(originals));
}

/** What geo needs to know of a tracker's device. */
export function toDevice({ tracker, source }: Pick<TrackerWithSource, "tracker" | "source">): Device {
  const { id: source_id, account_id, device_id, model, blocked, revision } = source;
  return { tracker_id: tracker.id, account_id, source_id, device_id, model, blocked, revision };
}

/** For operators, whoever's accounts they are; one without trackers is left out. */
export async function countTrackers(db: Database, accounts: number[]): Promise<Record<number, number>> {
  const rows = await db
    .select({ account_id: tracker.account_id, count: count() })
    .from(tracker)
    .where(among(tracker.account_id, accounts))
    .groupBy(tracker.account_id);
  return Object.fromEntries(rows.map((row) => [row.account_id, row.count]));
}

function withAll(db: Database) {
  return db
    .select(SEEN)
    .from(tracker)
    .innerJoin(source, ofSource)
    .innerJoin(tariff, ofTariff)
    .innerJoin(origin, isOrigin)
    .leftJoin(vehicle, hasVehicle)
    .$dynamic();
}

function withCrew(db: Database) {
  const { id, first_name, middle_name, last_name, name_folded } = employee;
  return db
    .select({
      ...SEEN,
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
/** What others need to know of a tracker. */
const SEEN = {
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

function withSource(db: Database) {
  return db
    .select({ tracker, source, tag_bindings: bindingsOf("tracker", tracker.id) })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .$dynamic();
}

/** Some 5 MB of answer at the most. */
const PAGE = 2000;
