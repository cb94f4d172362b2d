import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { event } from "../../table/event.ts";
import { driverChange } from "../../table/people/driver-change.ts";
import { employee } from "../../table/people/employee.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import type { LastPosition } from "../../tracker/last-position.ts";

/**
 * Last steps of a batch that may have moved employees between trackers: compares the drivers with the last known ones
 * on the given tracker and on all trackers that the employee was ever on, and stores each difference as a change and an
 * event. `employee_id` is an expression for callers whose id only the batch knows.
 */
export function insertDriverChanges(
  db: Database,
  principal: Pick<Principal, "account_id">,
  actor: Pick<Actor, "action_date">,
  employee_id: SQL | number,
  tracker_id: number | null,
  position: LastPosition | null = null,
) {
  const { account_id } = principal;
  const trackers = sql`SELECT ${tracker.id} AS id FROM ${tracker} WHERE ${tracker.account_id} = ${account_id} AND (${tracker.id} = ${tracker_id}
    OR ${tracker.id} IN (SELECT was.tracker_id FROM ${driverChange} AS was WHERE was.account_id = ${account_id} AND was.employee_id = ${employee_id}))`;
  return insertDriverChangesOn(db, principal, actor, trackers, position);
}

/**
 * Stores a change and an event for each tracker whose driver differs from its last known one. `trackers` is a query
 * that selects tracker ids as `id`.
 */
export function insertDriverChangesOn(
  db: Database,
  { account_id }: Pick<Principal, "account_id">,
  { action_date }: Pick<Actor, "action_date">,
  trackers: SQL,
  position: LastPosition | null = null,
) {
  const last = sql`(SELECT was.employee_id FROM ${driverChange} AS was WHERE was.account_id = ${account_id} AND was.tracker_id = affected.id
    ORDER BY was.changed DESC, was.id DESC LIMIT 1)`;
  const location = position && JSON.stringify(position);
  const at = position && JSON.stringify({ lat: position.lat, lng: position.lng });
  return [
    db.insert(driverChange).select(
      sql`SELECT NULL, ${account_id}, affected.id, ${employee.id}, ${action_date}, 'supervisor', NULL, ${location}
        FROM (${trackers}) AS affected LEFT JOIN ${employee} ON ${employee.account_id} = ${account_id} AND ${employee.tracker_id} = affected.id
        WHERE ${employee.id} IS NOT ${last}`,
    ),
    // The changes that were just inserted are the last `changes()` rows.
    db.insert(event).select(
      sql`SELECT NULL, 'driver-' || ${driverChange.id}, ${account_id}, ${driverChange.tracker_id}, ${action_date}, 'driver_changed',
        coalesce(trim(${employee.first_name} || ' ' || ${employee.last_name}), ''), 0, NULL, 0, ${at}, ${position?.address ?? ""},
        json_object('tracker_label', ${tracker.label}, 'last_known_location', json('true')), ${driverChange.employee_id}, ${vehicle.id},
        NULL, ${action_date}, FALSE
        FROM ${driverChange} JOIN ${tracker} ON ${tracker.id} = ${driverChange.tracker_id}
        LEFT JOIN ${employee} ON ${employee.id} = ${driverChange.employee_id}
        LEFT JOIN ${vehicle} ON ${vehicle.account_id} = ${account_id} AND ${vehicle.tracker_id} = ${driverChange.tracker_id}
        WHERE changes() > 0 AND ${driverChange.id} > last_insert_rowid() - changes() AND ${driverChange.id} <= last_insert_rowid()`,
    ),
  ] as const;
}

/** The query for the last driver change on the tracker. */
export function selectLastChange(db: Database, { account_id }: Pick<Principal, "account_id">, tracker_id: number) {
  return db
    .select()
    .from(driverChange)
    .where(and(eq(driverChange.account_id, account_id), eq(driverChange.tracker_id, tracker_id)))
    .orderBy(desc(driverChange.changed), desc(driverChange.id))
    .limit(1);
}
