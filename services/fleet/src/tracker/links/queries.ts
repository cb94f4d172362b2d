import { and, eq, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import { type CloneFeed, ROSTER } from "#shared/contract/fleet.ts";
import type { Feature } from "#shared/contract/tracker/tariff.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { employee } from "../../table/people/employee.ts";
import { tariff } from "../../table/registration/tariff.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import { selectByIds } from "../../tag/queries.ts";
import { selectVisibleRows } from "../queries.ts";

/** Those of the trackers and tags that the principal may refer to, in one trip to the database. */
export async function selectLinks(db: Database, principal: Principal, trackers: number[], tags: number[]) {
  const links = await read(db, {
    trackers: selectVisibleRows(db, principal, trackers),
    tags: selectByIds(db, principal, tags),
  });
  return { trackers: links.trackers, tags: links.tags.map(({ id }) => id) };
}

/** The visible trackers whose tariff lacks the feature, and those of the tags that exist. */
export async function selectTrackersLacking(db: Database, principal: Principal, feature: Feature, tags: number[]) {
  const has = sql`EXISTS (SELECT 1 FROM json_each(${tariff.features}) WHERE value = ${feature})`;
  const links = await read(db, {
    trackers: db
      .select({ id: tracker.id })
      .from(tracker)
      .innerJoin(source, eq(source.id, tracker.source_id))
      .innerJoin(tariff, eq(tariff.id, source.tariff_id))
      .where(visibleTo(principal, TRACKER_SCOPE, sql`NOT ${has}`)),
    tags: selectByIds(db, principal, tags),
  });
  return { trackers: links.trackers.map(({ id }) => id), tags: links.tags.map(({ id }) => id) };
}

/**
 * JSON array of [tracker id, employee id, sort name] for all visible trackers. The sort name is the employee's, or the
 * tracker's label without an employee, folded. One text is a tenth of the size of its rows.
 */
export async function selectCrew(db: Database, principal: Principal): Promise<string> {
  const name = sql`coalesce(${employee.name_folded}, ${tracker.label_folded})`;
  const rows = await db
    .select({ crew: sql<string>`json_group_array(json_array(${tracker.id}, ${employee.id}, ${name}))` })
    .from(tracker)
    .leftJoin(employee, and(eq(employee.account_id, tracker.account_id), eq(employee.tracker_id, tracker.id)))
    .where(visibleTo(principal, TRACKER_SCOPE));
  return onlyRow(rows).crew;
}

/** JSON array of `RosterEntry`: driver and vehicle of these trackers, or of all that the principal sees. */
export async function selectRoster(db: Database, principal: Principal, trackers?: number[]): Promise<string> {
  const { name_folded, first_name, middle_name, last_name } = employee;
  const names = { first_name, middle_name, last_name, name_folded };
  const vehicleColumns = {
    vehicle_id: vehicle.id,
    vehicle_label: vehicle.label,
    vehicle_label_folded: vehicle.label_folded,
  };
  const { id: tracker_id, label, label_folded } = tracker;
  const columns: Record<(typeof ROSTER)[number], SQLiteColumn> = {
    ...{ tracker_id, label, label_folded, employee_id: employee.id },
    ...names,
    ...vehicleColumns,
  };
  const entry = ROSTER.map((name) => sql`${sql.raw(`'${name}'`)}, ${columns[name]}`);
  const rosters = await db
    .select({ roster: sql<string>`json_group_array(json_object(${sql.join(entry, sql`, `)}))` })
    .from(tracker)
    .leftJoin(employee, and(eq(employee.account_id, tracker.account_id), eq(employee.tracker_id, tracker.id)))
    .leftJoin(vehicle, and(eq(vehicle.account_id, tracker.account_id), eq(vehicle.tracker_id, tracker.id)))
    .where(visibleTo(principal, TRACKER_SCOPE, trackers && among(tracker.id, trackers)));
  return onlyRow(rosters).roster;
}

export async function selectCloneFeeds(db: Database, principal: Principal): Promise<CloneFeed[]> {
  const origin = alias(tracker, "origin");
  return db
    .select({ tracker_id: tracker.id, feed_id: origin.id })
    .from(tracker)
    .innerJoin(origin, and(eq(origin.source_id, tracker.source_id), eq(origin.clone, false)))
    .where(visibleTo(principal, TRACKER_SCOPE, eq(tracker.clone, true)));
}

/** `visibleTo` limits by the column `tracker_id`; for trackers that is their own id. */
const TRACKER_SCOPE = { account_id: tracker.account_id, tracker_id: tracker.id };
