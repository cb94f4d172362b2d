import { and, asc, count, desc, eq, gte, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { EventName } from "#shared/contract/event/event.ts";
import type { AddressedEvent } from "#shared/contract/fleet.ts";
import { visibleSince } from "#shared/contract/tracker/stored-range.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, selectObjects } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type EventRow, event } from "../table/event.ts";
import { employee } from "../table/people/employee.ts";
import { tariff } from "../table/registration/tariff.ts";
import { removedTracker } from "../table/tracker/removed-tracker.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";
import { vehicle } from "../table/vehicle/vehicle.ts";
import { eventColumnsFor, isUnreadBy, isUnreadById, markRead } from "./read-queries.ts";
import type { EventRetention } from "./retention.ts";
import type { ASSET_TYPES } from "./schema.ts";

type TimeRange = { from: number; to: number };
type Filters = TimeRange & { events: EventName[] | null; only_emergency: boolean; only_unread: boolean };
type Listing = { limit: number; ascending: boolean };
type EventSearch = Filters & Listing;
type AssetType = (typeof ASSET_TYPES)[number];
type Assets = { assets: { id: number; type: AssetType }[] | null; asset_types: AssetType[] | null };
/** An event with the mark of its reader. */
type SeenEvent = EventRow & { is_read: boolean };
export type Counts = { total: number; total_unread: number };

export async function requireEvent(
  db: Database,
  principal: Principal,
  id: number,
  retention: EventRetention,
): Promise<SeenEvent> {
  const row = await db
    .select(eventColumnsFor(principal))
    .from(event)
    .where(visibleEvents(principal, retention, eq(event.id, id)))
    .get();
  if (!row) throw new ApiError(201);
  return row;
}

/** Marks an event as read by the caller. Not audited: nothing but the mark changes. */
export function markEventRead(db: Database, principal: Principal, id: number, retention: EventRetention) {
  return markRead(db, principal, visibleEvents(principal, retention, eq(event.id, id)));
}

/** Events of these trackers; 217 unless the principal sees all of them and none is blocked. */
export async function selectTrackerEvents(
  db: Database,
  principal: Principal,
  trackers: number[],
  search: EventSearch,
  retention: EventRetention,
) {
  const ids = [...new Set(trackers)];
  const visible = visibleEvents(principal, retention, among(event.tracker_id, ids), matchesFilters(search, principal));
  const { rows, counted, usable } = await read(db, {
    rows: selectPage(db, principal, visible, search),
    counted: selectCounts(db, principal, visible),
    usable: db
      .select({ count: count() })
      .from(tracker)
      .innerJoin(source, eq(source.id, tracker.source_id))
      .where(visibleTo(principal, TRACKER_SCOPE, among(tracker.id, ids), eq(source.blocked, false))),
  });
  if (onlyRow(usable).count < ids.length) throw new ApiError(217);
  return { rows, ...onlyRow(counted) };
}

/** Events of all trackers that the principal sees, with the storage periods of their tariffs. */
export async function selectUserEvents(
  db: Database,
  principal: Principal,
  search: EventSearch,
  retention: EventRetention,
) {
  const visible = visibleEvents(principal, retention, matchesFilters(search, principal));
  const { rows, counted, periods } = await read(db, {
    rows: selectPage(db, principal, visible, search),
    counted: selectCounts(db, principal, visible),
    periods: selectPeriods(db, principal),
  });
  return { rows, ...onlyRow(counted), periods: periods.map(({ store_period }) => store_period) };
}

/** Events of vehicles and employees, each with the label of its vehicle or the name of its employee. */
export async function selectAssetEvents(
  db: Database,
  principal: Principal,
  search: EventSearch & Assets,
  retention: EventRetention,
) {
  const visible = visibleEvents(principal, retention, matchesFilters(search, principal), isOfAssets(search));
  const { rows, periods } = await read(db, {
    rows: db
      .select({
        row: eventColumnsFor(principal),
        asset_label: sql<
          string | null
        >`coalesce((SELECT ${vehicle.label} FROM ${vehicle} WHERE ${vehicle.id} = ${event.vehicle_id}),
          (SELECT trim(${employee.first_name} || ' ' || ${employee.last_name}) FROM ${employee} WHERE ${employee.id} = ${event.employee_id}))`,
      })
      .from(event)
      .where(visible)
      .orderBy(...orderOf(search))
      .limit(search.limit),
    periods: selectPeriods(db, principal),
  });
  return { rows, periods: periods.map(({ store_period }) => store_period) };
}

export async function countAssetEvents(
  db: Database,
  principal: Principal,
  search: Filters & Assets,
  retention: EventRetention,
): Promise<Counts> {
  return onlyRow(
    await selectCounts(
      db,
      principal,
      visibleEvents(principal, retention, matchesFilters(search, principal), isOfAssets(search)),
    ),
  );
}

export async function selectUnread(
  db: Database,
  principal: Principal,
  from: number,
  limit: number,
  retention: EventRetention,
) {
  const visible = visibleEvents(principal, retention, isUnreadBy(principal), gte(event.time, from));
  return selectPage(db, principal, visible, { limit, ascending: false });
}

export async function countUnread(db: Database, principal: Principal, from: number, retention: EventRetention) {
  // A master's events are found behind the last one that it has read, a sub-user's by its trackers.
  const isRecent = principal.scope === "all" ? sql`+${event.time} >= ${from}` : gte(event.time, from);
  const rows = await db
    .select({ count: count() })
    .from(event)
    .where(visibleEvents(principal, retention, isUnreadById(principal), isRecent));
  return onlyRow(rows).count;
}

/** The number of the tracker's events in each of the ranges, of those that the principal sees. */
export async function countEventsInRanges(
  db: Database,
  principal: Principal,
  tracker_id: number,
  ranges: [from: number, to: number][],
  retention: EventRetention,
): Promise<number[]> {
  if (ranges.length === 0) return [];
  const within = sql`${event.time} BETWEEN range.value ->> 0 AND range.value ->> 1`;
  const visible = visibleEvents(principal, retention, eq(event.tracker_id, tracker_id), within);
  const rows = await selectObjects<{ count: number }>(
    db,
    sql`SELECT (SELECT count(*) FROM ${event} WHERE ${visible}) AS count FROM json_each(${JSON.stringify(ranges)}) AS range
      ORDER BY range.key`,
  );
  return rows.map(({ count }) => count);
}

/**
 * The tracker's events in the range that have an address, of those that the principal sees; at most `MAX_ADDRESSES`,
 * oldest first.
 */
export async function selectEventAddresses(
  db: Database,
  principal: Principal,
  tracker_id: number,
  { from, to }: TimeRange,
  retention: EventRetention,
): Promise<AddressedEvent[]> {
  const within = and(gte(event.time, from), lte(event.time, to), ne(event.address, ""));
  return db
    .select({ time: event.time, address: event.address })
    .from(event)
    .where(visibleEvents(principal, retention, eq(event.tracker_id, tracker_id), within))
    .orderBy(asc(event.time))
    .limit(MAX_ADDRESSES);
}

/**
 * Hides events from before the storage period of a sub-user's group, and private events of other users. The tariff's
 * period does not limit events.
 */
export function visibleEvents(principal: Principal, retention: EventRetention, ...conditions: (SQL | undefined)[]) {
  const { store_period } = principal;
  const isStored = store_period === null ? undefined : gte(event.time, visibleSince([store_period], retention.now));
  const isReadable = or(isNull(event.private_to), eq(event.private_to, principal.user_id));
  return visibleTo(principal, event, isStored, isRetained(principal, retention), isReadable, ...conditions);
}

/** Hides events that are too old, whether or not the sweep has deleted them yet. */
function isRetained({ account_id }: Principal, { since, removedBefore }: EventRetention) {
  const ofRemoved = sql`(SELECT ${removedTracker.id} FROM ${removedTracker}
    WHERE ${removedTracker.account_id} = ${account_id} AND ${removedTracker.removed_at} < ${removedBefore})`;
  return and(
    since === null ? undefined : gte(event.time, since),
    removedBefore === null ? undefined : sql`${event.tracker_id} NOT IN ${ofRemoved}`,
  );
}

function selectPage(db: Database, principal: Principal, visible: SQL | undefined, listing: Listing) {
  return db
    .select(eventColumnsFor(principal))
    .from(event)
    .where(visible)
    .orderBy(...orderOf(listing))
    .limit(listing.limit);
}

function selectCounts(db: Database, principal: Principal, visible: SQL | undefined) {
  return db
    .select({ total: count(), total_unread: sql<number>`count(*) FILTER (WHERE ${isUnreadBy(principal)})` })
    .from(event)
    .where(visible);
}

function orderOf({ ascending }: Pick<Listing, "ascending">) {
  const direction = ascending ? asc : desc;
  return [direction(event.time), direction(event.id)];
}

function matchesFilters({ from, to, events, only_emergency, only_unread }: Filters, principal: Principal) {
  return and(
    gte(event.time, from),
    // Callers send whole seconds, so the last second of the range counts to its end.
    lte(event.time, to + 999),
    events ? among(event.event, events) : undefined,
    only_emergency ? eq(event.emergency, true) : undefined,
    only_unread ? isUnreadBy(principal) : undefined,
  );
}

/** True for events of the named assets; without names, for events of any asset of the types. */
function isOfAssets({ assets, asset_types }: Assets) {
  const idsOf = (type: AssetType) => (assets ?? []).filter((asset) => asset.type === type).map(({ id }) => id);
  const terms = (asset_types ?? (["vehicle", "employee"] as const)).map((type) => {
    const column = ASSET_COLUMNS[type];
    return assets ? among(column, idsOf(type)) : isNotNull(column);
  });
  return terms.length > 0 ? or(...terms) : sql`FALSE`;
}

/** The distinct storage periods of the tariffs of trackers that the principal sees. */
function selectPeriods(db: Database, principal: Principal) {
  return db
    .selectDistinct({ store_period: tariff.store_period })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .innerJoin(tariff, eq(tariff.id, source.tariff_id))
    .where(visibleTo(principal, TRACKER_SCOPE));
}

const TRACKER_SCOPE = { account_id: tracker.account_id, tracker_id: tracker.id };
const ASSET_COLUMNS = { vehicle: event.vehicle_id, employee: event.employee_id };
const MAX_ADDRESSES = 10_000;
