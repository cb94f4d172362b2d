import { and, asc, count, desc, eq, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Actor, membersOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { PanelTracker, TrackerChanges, TrackerSearch } from "#shared/contract/tracker/tracker.ts";
import { mentions } from "#shared/database/mentions.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { demand, demandChange, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { foldText } from "#shared/text/fold.ts";
import { writeLocal } from "#shared/time/clock.ts";
import { recordChange } from "../../outbox/audit.ts";
import type { RemovedTrackerRow } from "../../table/tracker/removed-tracker.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { bindingsOf } from "../../tag/binding-queries.ts";
import { hasQuota, isForTrackers, isOfSourceDealer } from "../../tariff/condition-queries.ts";
import { findModel } from "../model/models.ts";
import { isVisibleToOperator, visibleToOperator } from "../operator-queries.ts";
import type { TrackerWithSource } from "../queries.ts";
import { demandNotRemoved, selectRemoved } from "../removed-queries.ts";
import { toTrackerCreatedOn } from "../to-tracker.ts";

export async function selectForPanel(db: Database, principal: Principal, search: TrackerSearch) {
  const { user_id, tariff_id, filter, order_by, ascending, offset, limit } = search;
  const text = filter?.toLowerCase();
  const visible = visibleToOperator(
    principal,
    source,
    user_id === undefined ? undefined : eq(tracker.account_id, user_id),
    tariff_id === undefined ? undefined : eq(source.tariff_id, tariff_id),
    filter
      ? or(
          mentions(tracker.label_folded, filter),
          sql`instr(lower(${source.device_id}), ${text}) > 0`,
          sql`instr(${source.phone}, ${text}) > 0`,
        )
      : undefined,
  );
  const direction = ascending ? asc : desc;
  const { rows, counted } = await read(db, {
    rows: selectWithFeed(db)
      .where(visible)
      .orderBy(direction(SORT_COLUMNS[order_by]), asc(tracker.id))
      .limit(limit)
      .offset(offset),
    counted: db
      .select({ count: count() })
      .from(tracker)
      .innerJoin(source, eq(source.id, tracker.source_id))
      .where(visible),
  });
  return { trackers: rows.map(toPanelTracker), count: onlyRow(counted).count };
}

/** A tracker for an operator, removed or not; 201 when the operator's dealer has no such tracker. */
export async function requireForPanel(db: Database, principal: Principal, id: number): Promise<PanelTracker> {
  const { present, removed } = await read(db, {
    present: selectWithFeed(db).where(visibleToOperator(principal, source, eq(tracker.id, id))),
    removed: selectRemoved(db, principal, id),
  });
  const [found] = [...present.map(toPanelTracker), ...removed.map(toRemovedPanelTracker)];
  if (!found) throw new ApiError(201);
  return found;
}

/** Changes a tracker's label and comment on behalf of an operator; members that are left out stay. */
export async function changeTracker(
  db: Database,
  principal: Principal,
  id: number,
  { label, comment }: TrackerChanges,
  actor: Actor,
) {
  const ofOperator = sql`${tracker.source_id} IN (SELECT ${source.id} FROM ${source} WHERE ${visibleToOperator(principal, source)})`;
  const label_folded = label === undefined ? undefined : foldText(label);
  const payload = { changed: membersOf({ label, comment }) };
  await write(db, {
    present: demandNotRemoved(db, principal, id),
    update: db
      .update(tracker)
      // `id` makes the statement valid without changes: the call succeeds, but the tracker must exist.
      .set({ id, label, label_folded, comment })
      .where(and(eq(tracker.id, id), ofOperator)),
    existing: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["tracker", "update"], entry_id: id, account_id: ownerOf(id), payload }),
  });
}

/** Gives the device another tariff of its dealer at once; 221 when the tariff's device limit is reached. */
export async function changeTariff(db: Database, principal: Principal, id: number, tariff_id: number, actor: Actor) {
  const device = sql`(SELECT ${tracker.source_id} FROM ${tracker} WHERE ${tracker.id} = ${id})`;
  const payload = { tariff_id };
  await write(db, {
    present: demandNotRemoved(db, principal, id),
    existing: demand(isVisibleToOperator(principal, id), () => new ApiError(201)),
    original: demand(isVisibleToOperator(principal, id, eq(tracker.clone, false)), () => new ApiError(219)),
    tariff: demand(isVisibleToOperator(principal, id, isOfSourceDealer(tariff_id)), () => new ApiError(239)),
    active: demand(isVisibleToOperator(principal, id, isForTrackers(tariff_id)), () => new ApiError(237)),
    quota: demand(isVisibleToOperator(principal, id, hasQuota(tariff_id)), () => new ApiError(221)),
    update: db
      .update(source)
      .set({ tariff_id })
      .where(visibleToOperator(principal, source, sql`${source.id} = ${device}`)),
    record: recordChange(db, actor, {
      is: ["tracker", "tariff_change"],
      entry_id: id,
      account_id: ownerOf(id),
      payload,
    }),
  });
}

function ownerOf(id: number) {
  return sql`(SELECT ${tracker.account_id} FROM ${tracker} WHERE ${tracker.id} = ${id})`;
}

function selectWithFeed(db: Database) {
  return db
    .select({ tracker, source, feed_tracker_id: origin.id, tag_bindings: bindingsOf("tracker", tracker.id) })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .innerJoin(origin, sql`${origin.source_id} = ${source.id} AND NOT ${origin.clone}`)
    .$dynamic();
}

type TrackerWithFeed = TrackerWithSource & { feed_tracker_id: number };

function toPanelTracker({ feed_tracker_id, ...row }: TrackerWithFeed): PanelTracker {
  const { tracker, source } = row;
  const { dealer_id, creation_date } = source;
  return {
    ...toTrackerCreatedOn(dayOf(creation_date), row),
    user_id: tracker.account_id,
    dealer_id,
    deleted: false,
    comment: tracker.comment,
    creation_date,
    model_name: nameOf(source.model),
    feed_tracker_id,
  };
}

function toRemovedPanelTracker(row: RemovedTrackerRow): PanelTracker {
  const { id, label, clone, group_id, dealer_id, comment, creation_date, model } = row;
  const { source_id, device_id, blocked, tariff_id, phone } = row;
  const unknown = { status_listing_id: null, tariff_end_date: null };
  const device = { id: source_id, device_id, model, blocked, tariff_id, phone };
  return {
    ...{ id, label, clone, group_id, dealer_id, comment, creation_date },
    source: { ...device, ...unknown, creation_date: dayOf(creation_date), corrupted: true },
    tag_bindings: [],
    user_id: row.account_id,
    deleted: true,
    model_name: nameOf(model),
    feed_tracker_id: null,
  };
}

/** The day in UTC: operators have no time zone. */
function dayOf(ms: number) {
  return writeLocal(ms, "UTC").slice(0, 10);
}

function nameOf(model: string) {
  return findModel(model)?.name ?? model;
}

const origin = alias(tracker, "origin");
const SORT_COLUMNS = { id: tracker.id, label: tracker.label_folded, creation_date: source.creation_date };
