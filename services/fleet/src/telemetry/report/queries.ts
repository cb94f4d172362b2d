import { and, asc, eq, gt, gte, lte, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type { EventName } from "#shared/contract/event/event.ts";
import type {
  Assignment,
  DriverShift,
  Equipment,
  RecordCursor,
  RecordPage,
  RecordSearch,
  ReportEvent,
  StatusShift,
} from "#shared/contract/report-source.ts";
import { visibleSince } from "#shared/contract/tracker/stored-range.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { type Results, read } from "#shared/database/steps.ts";
import { gaugesOf } from "#shared/telemetry/sensor.ts";
import { visibleEvents } from "../../history/queries.ts";
import type { EventRetention } from "../../history/retention.ts";
import { event } from "../../table/event.ts";
import { driverChange } from "../../table/people/driver-change.ts";
import { employee } from "../../table/people/employee.ts";
import { sensor } from "../../table/telemetry/sensor.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import { status } from "../../table/work-status/status.ts";
import { statusChange } from "../../table/work-status/status-change.ts";
import { isOnOriginal, selectUsable } from "../../tracker/origin-queries.ts";
import { toCalibrated } from "../sensor/schema.ts";

/**
 * The tracker's sensors and vehicle; a clone has the sensors of its original. Null when the principal does not see the
 * tracker.
 */
export async function selectEquipment(
  db: Database,
  principal: Principal,
  tracker_id: number,
): Promise<Equipment | null> {
  return toEquipment(await read(db, equipmentSteps(db, principal, tracker_id)));
}

/** The steps whose results `toEquipment` takes. */
export function equipmentSteps(db: Database, principal: Principal, tracker_id: number) {
  const { label, norm_avg_fuel_consumption: norm, fuel_cost, max_speed } = vehicle;
  return {
    usable: selectUsable(db, principal, [tracker_id]),
    sensors: db
      .select()
      .from(sensor)
      .where(isOnOriginal(principal, sensor, [tracker_id]))
      .orderBy(asc(sensor.id)),
    vehicles: db
      .select({ label, norm, fuel_cost, max_speed })
      .from(vehicle)
      .where(visibleTo(principal, vehicle, eq(vehicle.tracker_id, tracker_id)))
      .limit(1),
  };
}

export function toEquipment({
  usable,
  sensors,
  vehicles,
}: Results<ReturnType<typeof equipmentSteps>>): Equipment | null {
  if (usable.length === 0) return null;
  return { gauges: gaugesOf(sensors.map(toCalibrated)), vehicle: vehicles[0] ?? null };
}

export async function selectEvents(
  db: Database,
  principal: Principal,
  { tracker_id, after, ...range }: RecordSearch,
  events: EventName[] | null,
  retention: EventRetention,
): Promise<RecordPage<ReportEvent>> {
  const { id, time, message, location, address, extra } = event;
  const rows = await db
    .select({ id, time, event: event.event, message, location, address, extra, employee: nameOf(employee) })
    .from(event)
    .leftJoin(employee, and(eq(employee.account_id, event.account_id), eq(employee.id, event.employee_id)))
    .where(
      visibleEvents(
        principal,
        retention,
        eq(event.tracker_id, tracker_id),
        isWithin(event.time, event.id, range, after),
        events ? among(event.event, events) : undefined,
      ),
    )
    .orderBy(asc(event.time), asc(event.id))
    .limit(MAX_ROWS_PER_PAGE);
  const items = rows.map(({ extra, employee, location, ...row }) => ({
    ...row,
    location: location && { lat: location.lat, lng: location.lng },
    employee: employee ?? "",
    zone_ids: extra.zone_ids ?? [],
    zone_labels: extra.zone_labels ?? [],
  }));
  return toRecordPage(items);
}

export async function selectDrivers(
  db: Database,
  principal: Principal,
  search: RecordSearch,
  now: number,
): Promise<RecordPage<DriverShift>> {
  const stored = { ...search, from: visibleFrom(principal, search, now) };
  const { id, changed, location } = driverChange;
  const former = sql`(SELECT was.employee_id FROM ${driverChange} AS was WHERE was.account_id = "driver_change"."account_id"
    AND was.tracker_id = "driver_change"."tracker_id" AND (was.changed, was.id) < ("driver_change"."changed", "driver_change"."id")
    ORDER BY was.changed DESC, was.id DESC LIMIT 1)`;
  const rows = await db
    .select({
      ...{ id, time: changed, location, driver_id: driverChange.employee_id },
      ...{ driver: nameOf(employee), before: nameOf(previous) },
    })
    .from(driverChange)
    .leftJoin(
      employee,
      and(eq(employee.account_id, driverChange.account_id), eq(employee.id, driverChange.employee_id)),
    )
    .leftJoin(previous, and(eq(previous.account_id, driverChange.account_id), sql`${previous.id} = ${former}`))
    .where(isShiftIn(principal, driverChange, stored))
    .orderBy(asc(changed), asc(id))
    .limit(MAX_ROWS_PER_PAGE);
  const records = rows.map((row) => ({ ...row, driver: row.driver ?? "", before: row.before ?? "" }));
  return clampToStart(toRecordPage(records), stored.from);
}

export async function selectStatusShifts(
  db: Database,
  principal: Principal,
  search: RecordSearch,
  now: number,
): Promise<RecordPage<StatusShift>> {
  const stored = { ...search, from: visibleFrom(principal, search, now) };
  const { id, changed, location } = statusChange;
  const rows = await db
    .select({ id, time: changed, location, label: status.label, before: oldStatus.label })
    .from(statusChange)
    .leftJoin(status, and(eq(status.account_id, statusChange.account_id), eq(status.id, statusChange.new_status_id)))
    .leftJoin(
      oldStatus,
      and(eq(oldStatus.account_id, statusChange.account_id), eq(oldStatus.id, statusChange.old_status_id)),
    )
    .where(isShiftIn(principal, statusChange, stored))
    .orderBy(asc(changed), asc(id))
    .limit(MAX_ROWS_PER_PAGE);
  const records = rows.map((row) => ({ ...row, label: row.label ?? "", before: row.before ?? "" }));
  return clampToStart(toRecordPage(records), stored.from);
}

export async function selectEmployeeNames(db: Database, principal: Principal, ids: number[]) {
  const rows = await db
    .select({ id: employee.id, name: nameOf(employee) })
    .from(employee)
    .where(visibleTo(principal, employee, among(employee.id, ids)))
    .limit(ids.length);
  return rows.map(({ id, name }) => ({ id, name: name ?? "" }));
}

/** When the employee was on which tracker within the range: each assignment ends with the tracker's next change. */
export async function selectAssignments(
  db: Database,
  principal: Principal,
  employee_id: number,
  { from, to }: { from: number; to: number },
): Promise<Assignment[]> {
  const end = sql<number | null>`(SELECT min(next.changed) FROM ${driverChange} AS next
    WHERE next.account_id = "driver_change"."account_id" AND next.tracker_id = "driver_change"."tracker_id"
    AND (next.changed, next.id) > ("driver_change"."changed", "driver_change"."id"))`;
  const rows = await db
    .select({ tracker_id: driverChange.tracker_id, from: driverChange.changed, to: end })
    .from(driverChange)
    .where(
      visibleTo(
        principal,
        driverChange,
        eq(driverChange.employee_id, employee_id),
        lte(driverChange.changed, to),
        sql`coalesce(${end}, ${to}) >= ${from}`,
      ),
    )
    .orderBy(asc(driverChange.changed), asc(driverChange.id))
    .limit(MAX_ROWS_PER_PAGE);
  return rows.map((row) => ({ ...row, from: Math.max(row.from, from), to: Math.min(row.to ?? to, to) }));
}

type ShiftTable = typeof driverChange | typeof statusChange;

/**
 * Condition: changes within the range; the first page also has the last change before it, which holds at its beginning.
 */
function isShiftIn(
  principal: Principal,
  table: ShiftTable,
  { tracker_id, from, to, after }: RecordSearch,
): SQL | undefined {
  const own = visibleTo(principal, table, eq(table.tracker_id, tracker_id));
  const lastBefore = sql`coalesce((SELECT max(was.changed) FROM ${table} AS was WHERE was.account_id = ${principal.account_id}
    AND was.tracker_id = ${tracker_id} AND was.changed <= ${from}), ${from})`;
  const isAfterStart = after
    ? isWithin(table.changed, table.id, { from: 0, to }, after)
    : gte(table.changed, lastBefore);
  return and(own, isAfterStart, lte(table.changed, to));
}

/** The start of the range, limited by the storage period of the sub-user's group. */
function visibleFrom({ store_period }: Principal, { from }: RecordSearch, now: number) {
  return store_period === null ? from : Math.max(from, visibleSince([store_period], now));
}

/** Cuts records that began before the range to its start: reports must not reveal earlier times or places. */
function clampToStart<Item extends RecordCursor & { location: unknown }>(
  { items, next }: RecordPage<Item>,
  from: number,
): RecordPage<Item> {
  return { items: items.map((item) => (item.time < from ? { ...item, time: from, location: null } : item)), next };
}

function isWithin(
  time: SQLiteColumn,
  id: SQLiteColumn,
  { from, to }: { from: number; to: number },
  after: RecordCursor | null,
) {
  const isAfterCursor = after ? or(gt(time, after.time), and(eq(time, after.time), gt(id, after.id))) : undefined;
  return and(gte(time, from), lte(time, to), isAfterCursor);
}

function toRecordPage<Item extends RecordCursor>(items: Item[]): RecordPage<Item> {
  const last = items.at(-1);
  return { items, next: last && items.length === MAX_ROWS_PER_PAGE ? { time: last.time, id: last.id } : null };
}

function nameOf({ first_name, last_name }: Record<"first_name" | "last_name", SQLiteColumn>) {
  return sql<string | null>`trim(${first_name} || ' ' || ${last_name})`;
}

const previous = alias(employee, "previous");
const oldStatus = alias(status, "old_status");
/** A page of the longest rows is some 2 MB. */
const MAX_ROWS_PER_PAGE = 1000;
