import { and, asc, count, desc, eq, gte, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { EventName } from "#shared/contract/event.ts";
import type { AddressedEvent } from "#shared/contract/fleet.ts";
import { visibleSince } from "#shared/contract/stored-range.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { employee } from "../table/employee.ts";
import { type EventRow, event } from "../table/event.ts";
import { removedTracker } from "../table/removed-tracker.ts";
import { source } from "../table/source.ts";
import { tariff } from "../table/tariff.ts";
import { tracker } from "../table/tracker.ts";
import { vehicle } from "../table/vehicle.ts";
import type { EventAge } from "./age.ts";
import type { ASSET_TYPES } from "./schema.ts";

type Range = { from: number; to: number };
type Filters = Range & { events: EventName[] | null; only_emergency: boolean; only_unread: boolean };
type Listing = { limit: number; ascending: boolean };
type EventSearch = Filters & Listing;
type AssetType = (typeof ASSET_TYPES)[number];
type Assets = { assets: { id: number; type: AssetType }[] | null; asset_types: AssetType[] | null };
export type Counts = { total: number; total_unread: number };

export async function requireEvent(db: Database, principal: Principal, id: number, age: EventAge): Promise<EventRow> {
  const row = await db
    .select()
    .from(event)
    .where(visibleEvents(principal, age, eq(event.id, id)))
    .get();
  if (!row) throw new ApiError(201);
  return row;
}

/** Nothing of the account that could be audited changes: who reads what is no news. */
export async function markRead(db: Database, principal: Principal, id: number, age: EventAge) {
  const marked = await db
    .update(event)
    .set({ is_read: true })
    .where(visibleEvents(principal, age, eq(event.id, id), eq(event.is_read, false)))
    .returning({ id: event.id });
  if (marked.length === 0) throw new ApiError(201);
}

export async function markAllRead(db: Database, principal: Principal, age: EventAge) {
  await db
    .update(event)
    .set({ is_read: true })
    .where(visibleEvents(principal, age, eq(event.is_read, false)));
}

/** Of these trackers; 217 unless the caller sees every one of them in use. */
export async function selectOfTrackers(
  db: Database,
  principal: Principal,
  trackers: number[],
  search: EventSearch,
  age: EventAge,
) {
  const ids = [...new Set(trackers)];
  const visible = visibleEvents(principal, age, among(event.tracker_id, ids), matching(search));
  const { rows, counted, usable } = await read(db, {
    rows: pageOf(db, visible, search),
    counted: countOf(db, visible),
    usable: db
      .select({ count: count() })
      .from(tracker)
      .innerJoin(source, eq(source.id, tracker.source_id))
      .where(visibleTo(principal, OF_TRACKER, among(tracker.id, ids), eq(source.blocked, false))),
  });
  if (onlyRow(usable).count < ids.length) throw new ApiError(217);
  return { rows, ...onlyRow(counted) };
}

/** Of all trackers that the caller sees; with the storage periods of their tariffs. */
export async function selectOfUser(db: Database, principal: Principal, search: EventSearch, age: EventAge) {
  const visible = visibleEvents(principal, age, matching(search));
  const { rows, counted, periods } = await read(db, {
    rows: pageOf(db, visible, search),
    counted: countOf(db, visible),
    periods: periodsOf(db, principal),
  });
  return { rows, ...onlyRow(counted), periods: periods.map(({ store_period }) => store_period) };
}

/** Of vehicles and employees, with their labels. */
export async function selectOfAssets(db: Database, principal: Principal, search: EventSearch & Assets, age: EventAge) {
  const visible = visibleEvents(principal, age, matching(search), ofAssets(search));
  const { rows, periods } = await read(db, {
    rows: db
      .select({
        row: event,
        asset_label: sql<
          string | null
        >`coalesce((SELECT ${vehicle.label} FROM ${vehicle} WHERE ${vehicle.id} = ${event.vehicle_id}),
          (SELECT trim(${employee.first_name} || ' ' || ${employee.last_name}) FROM ${employee} WHERE ${employee.id} = ${event.employee_id}))`,
      })
      .from(event)
      .where(visible)
      .orderBy(...orderOf(search))
      .limit(search.limit),
    periods: periodsOf(db, principal),
  });
  return { rows, periods: periods.map(({ store_period }) => store_period) };
}

export async function countOfAssets(
  db: Database,
  principal: Principal,
  search: Filters & Assets,
  age: EventAge,
): Promise<Counts> {
  return onlyRow(await countOf(db, visibleEvents(principal, age, matching(search), ofAssets(search))));
}

export async function selectUnread(db: Database, principal: Principal, from: number, limit: number, age: EventAge) {
  const visible = visibleEvents(principal, age, eq(event.is_read, false), gte(event.time, from));
  return pageOf(db, visible, { limit, ascending: false });
}

export async function countUnread(db: Database, principal: Principal, from: number, age: EventAge) {
  const rows = await db
    .select({ count: count() })
    .from(event)
    .where(visibleEvents(principal, age, eq(event.is_read, false), gte(event.time, from)));
  return onlyRow(rows).count;
}

/** Of a tracker, in each of the ranges: as many as the caller sees. */
export async function countWithin(
  db: Database,
  principal: Principal,
  tracker_id: number,
  ranges: [from: number, to: number][],
  age: EventAge,
): Promise<number[]> {
  if (ranges.length === 0) return [];
  const within = sql`${event.time} BETWEEN range.value ->> 0 AND range.value ->> 1`;
  const visible = visibleEvents(principal, age, eq(event.tracker_id, tracker_id), within);
  const rows = await db.all<{ count: number }>(
    sql`SELECT (SELECT count(*) FROM ${event} WHERE ${visible}) AS count FROM json_each(${JSON.stringify(ranges)}) AS range
      ORDER BY range.key`,
  );
  return rows.map(({ count }) => count);
}

/** Of a tracker's events those that have an address, as many as the caller sees, the first ones where there are too many. */
export async function selectAddresses(
  db: Database,
  principal: Principal,
  tracker_id: number,
  { from, to }: Range,
  age: EventAge,
): Promise<AddressedEvent[]> {
  const within = and(gte(event.time, from), lte(event.time, to), ne(event.address, ""));
  return db
    .select({ time: event.time, address: event.address })
    .from(event)
    .where(visibleEvents(principal, age, eq(event.tracker_id, tracker_id), within))
    .orderBy(asc(event.time))
    .limit(MOST_ADDRESSES);
}

/** Nothing from before the storage period of a sub-user's group; the plan's does not count for events. */
export function visibleEvents(principal: Principal, age: EventAge, ...conditions: (SQL | undefined)[]) {
  const { store_period } = principal;
  const isStored = store_period === null ? undefined : gte(event.time, visibleSince([store_period], age.now));
  const open = or(isNull(event.private_to), eq(event.private_to, principal.user_id));
  return visibleTo(principal, event, isStored, isKept(principal, age), open, ...conditions);
}

/** What is too old is gone for everybody, whether or not the sweep has come to it. */
function isKept({ account_id }: Principal, { since, removedBefore }: EventAge) {
  const ofRemoved = sql`(SELECT ${removedTracker.id} FROM ${removedTracker}
    WHERE ${removedTracker.account_id} = ${account_id} AND ${removedTracker.removed_at} < ${removedBefore})`;
  return and(
    since === null ? undefined : gte(event.time, since),
    removedBefore === null ? undefined : sql`${event.tracker_id} NOT IN ${ofRemoved}`,
  );
}

function pageOf(db: Database, visible: SQL | undefined, listing: Listing) {
  return db
    .select()
    .from(event)
    .where(visible)
    .orderBy(...orderOf(listing))
    .limit(listing.limit);
}

function countOf(db: Database, visible: SQL | undefined) {
  return db
    .select({ total: count(), total_unread: sql<number>`count(*) FILTER (WHERE NOT ${event.is_read})` })
    .from(event)
    .where(visible);
}

function orderOf({ ascending }: Pick<Listing, "ascending">) {
  const direction = ascending ? asc : desc;
  return [direction(event.time), direction(event.id)];
}

function matching({ from, to, events, only_emergency, only_unread }: Filters) {
  return and(
    gte(event.time, from),
    // The caller speaks in whole seconds: the last one counts to its end.
    lte(event.time, to + 999),
    events ? among(event.event, events) : undefined,
    only_emergency ? eq(event.emergency, true) : undefined,
    only_unread ? eq(event.is_read, false) : undefined,
  );
}

/** Of the assets named; else of every one of the types. */
function ofAssets({ assets, asset_types }: Assets) {
  const idsOf = (type: AssetType) => (assets ?? []).filter((asset) => asset.type === type).map(({ id }) => id);
  const terms = (asset_types ?? (["vehicle", "employee"] as const)).map((type) => {
    const column = COLUMNS[type];
    return assets ? among(column, idsOf(type)) : isNotNull(column);
  });
  return terms.length > 0 ? or(...terms) : sql`FALSE`;
}

/** Of the tariffs of the trackers that the caller sees. */
function periodsOf(db: Database, principal: Principal) {
  return db
    .selectDistinct({ store_period: tariff.store_period })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .innerJoin(tariff, eq(tariff.id, source.tariff_id))
    .where(visibleTo(principal, OF_TRACKER));
}

const OF_TRACKER = { account_id: tracker.account_id, tracker_id: tracker.id };
const COLUMNS = { vehicle: event.vehicle_id, employee: event.employee_id };
const MOST_ADDRESSES = 10_000;
