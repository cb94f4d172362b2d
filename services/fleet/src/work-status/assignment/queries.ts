import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewEvent } from "#shared/contract/event/event.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, type Steps, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { insertEvents } from "../../history/event-queries.ts";
import { recordChange } from "../../outbox/audit.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { status } from "../../table/work-status/status.ts";
import { type StatusChangeRow, statusChange } from "../../table/work-status/status-change.ts";
import { statusListing } from "../../table/work-status/status-listing.ts";
import type { LastPosition } from "../../tracker/last-position.ts";

type CurrentStatus = { id: number; label: string; color: string };
export type TrackerStatusRow = {
  tracker_id: number;
  current_status: CurrentStatus | null;
  last_change: StatusChangeRow | null;
};

/** The current work status of each visible tracker, and its last change. */
export async function selectTrackerStatuses(
  db: Database,
  principal: Principal,
  ids: number[],
): Promise<TrackerStatusRow[]> {
  const rows = await db
    .select({ tracker_id: tracker.id, current: STATUS_COLUMNS, change: statusChange })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .leftJoin(statusChange, eq(statusChange.id, lastOf(tracker.account_id, tracker.id)))
    .leftJoin(status, isCurrent(sql`${statusChange.new_status_id}`, sql`${source.status_listing_id}`))
    .where(visibleTo(principal, { account_id: tracker.account_id, tracker_id: tracker.id }, among(tracker.id, ids)));
  return rows.map(({ tracker_id, current, change }) => ({ tracker_id, current_status: current, last_change: change }));
}

type NewChange = Pick<StatusChangeRow, "account_id" | "tracker_id" | "new_status_id" | "location" | "changed">;

type NewAssignment = { tracker_id: number; status_id: number; position: LastPosition | null; changed: number };

/**
 * Stores the changes in the given order in one transaction, each with the status that the tracker had at that moment.
 */
export async function changeTrackerStatuses(
  db: Database,
  principal: Principal,
  assignments: NewAssignment[],
  actor: Actor,
): Promise<StatusChangeRow[]> {
  const steps = assignments.flatMap((assignment, key) =>
    Object.entries(changeSteps(db, principal, assignment, actor)).map(([name, step]) => [`${name} ${key}`, step]),
  );
  const own = eq(statusChange.account_id, principal.account_id);
  const { changes } = await write(db, {
    ...(Object.fromEntries(steps) as Steps), // the same steps under other names
    changes: db.select().from(statusChange).where(own).orderBy(desc(statusChange.id)).limit(assignments.length),
  });
  // Ids of one transaction are consecutive.
  return changes.toReversed();
}

function changeSteps(
  db: Database,
  principal: Principal,
  { tracker_id, status_id, position, changed }: NewAssignment,
  actor: Actor,
) {
  const { account_id } = principal;
  const listing = sql`(SELECT ${source.status_listing_id} FROM ${source} JOIN ${tracker} ON ${tracker.source_id} = ${source.id}
    WHERE ${tracker.id} = ${tracker_id})`;
  const ofListing = and(
    eq(status.account_id, account_id),
    eq(status.id, status_id),
    sql`${status.listing_id} = ${listing}`,
  );
  const controlled = and(
    visibleTo(principal, statusListing, sql`${statusListing.id} = ${listing}`),
    sql`${statusListing.supervisor_controlled}`,
  );
  const before = sql`(SELECT ${status.id} FROM ${statusChange} JOIN ${status} ON ${isCurrent(sql`${statusChange.new_status_id}`, listing)}
    WHERE ${statusChange.id} = ${lastOf(sql`${account_id}`, sql`${tracker_id}`)})`;
  const change = { account_id, tracker_id, new_status_id: status_id, location: position, changed };
  const label = sql`(SELECT ${status.label} FROM ${status} WHERE ${status.id} = ${status_id})`;
  return {
    status: demand(isThere(status, ofListing), () => new ApiError(201)),
    control: demand(isThere(statusListing, controlled), () => new ApiError(13)),
    difference: demand(sql`${before} IS NOT ${status_id}`, () => new ApiError(263)),
    inserted: db.insert(statusChange).values({ ...change, old_status_id: before, origin: "supervisor" }),
    record: recordChange(db, actor, { is: ["tracker", "status"], entry_id: tracker_id, payload: { status_id } }),
    event: insertEvents(db, [eventOf(change)], actor.action_date, undefined, label),
  };
}

/** The event of a change. Its message, the label of the status, is added by the database. */
function eventOf({ account_id, tracker_id, location, changed }: NewChange): NewEvent {
  return {
    event_id: crypto.randomUUID(),
    event: "work_status_change",
    ...{ account_id, tracker_id, time: changed, message: "" },
    location: location && { lat: location.lat, lng: location.lng },
    extra: { last_known_location: true },
  };
}

/** Condition: the status is still in the list that the tracker has. */
function isCurrent(id: SQL, listing: SQL): SQL {
  return sql`${status.id} = ${id} AND ${status.listing_id} = ${listing}`;
}

function lastOf(account_id: SQL | SQLiteColumn, tracker_id: SQL | SQLiteColumn): SQL {
  return sql`(SELECT max(last.id) FROM ${statusChange} AS last WHERE last.account_id = ${account_id} AND last.tracker_id = ${tracker_id})`;
}

const STATUS_COLUMNS = { id: status.id, label: status.label, color: status.color };
