import { eq, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { PerformerSearch, Performers } from "#shared/contract/fleet.ts";
import type { Feature } from "#shared/contract/tracker/tariff.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import type { Position } from "#shared/geometry/position.ts";
import type { Location } from "#shared/operation/fields.ts";
import { foldText } from "#shared/text/fold.ts";
import { department } from "../../table/people/department.ts";
import { employee } from "../../table/people/employee.ts";
import { tariff } from "../../table/registration/tariff.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { garage } from "../../table/vehicle/garage.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";

/**
 * Finds the trackers of the named people and of the employees and vehicles with these ids, in one trip to the database.
 */
export async function selectPerformers(
  db: Database,
  principal: Principal,
  feature: Feature,
  { names, employee_ids, vehicle_ids }: PerformerSearch,
): Promise<Performers> {
  const usable = selectUsableTrackers(db, principal, feature);
  const spellings = new Map(names.map((name) => [name, spellingsOf(name)]));
  const { labels, people, employees, vehicles } = await read(db, {
    labels: db
      .select(namedTrackerColumns(usable.label, usable.id))
      .from(usable)
      .where(among(usable.label, names))
      .groupBy(usable.label),
    people: selectPeopleOnTrackers(db, principal, usable, [...new Set([...spellings.values()].flat())]),
    employees: db
      .select({ id: employee.id, tracker_id: usable.id, own: employee.location, parent: department.location })
      .from(employee)
      .leftJoin(usable, eq(usable.id, employee.tracker_id))
      .leftJoin(department, eq(department.id, employee.department_id))
      .where(visibleTo(principal, employee, among(employee.id, employee_ids))),
    vehicles: db
      .select({ id: vehicle.id, tracker_id: usable.id, parent: garage.location })
      .from(vehicle)
      .leftJoin(usable, eq(usable.id, vehicle.tracker_id))
      .leftJoin(garage, eq(garage.id, vehicle.garage_id))
      .where(visibleTo(principal, vehicle, among(vehicle.id, vehicle_ids))),
  });
  const byLabel = new Map(labels.map(({ name, first, last }) => [name, [first, last]]));
  const byPerson = new Map(people.map(({ name, first, last }) => [name, [first, last]]));
  const trackersByName = names.map((name) => {
    const found = [byLabel.get(name), ...(spellings.get(name) ?? []).map((spelling) => byPerson.get(spelling))];
    return { name, tracker_ids: [...new Set(found.flatMap((ids) => ids ?? []))].slice(0, 2) };
  });
  return {
    named: trackersByName.filter(({ tracker_ids }) => tracker_ids.length > 0),
    employees: employees.map((row) => ({ ...row, own: positionOf(row.own), parent: positionOf(row.parent) })),
    vehicles: vehicles.map((row) => ({ ...row, own: null, parent: positionOf(row.parent) })),
  };
}

/** The visible trackers whose tariff has the feature and that are not blocked. */
function selectUsableTrackers(db: Database, principal: Principal, feature: Feature) {
  const has = sql`EXISTS (SELECT 1 FROM json_each(${tariff.features}) WHERE value = ${feature})`;
  return db
    .select({ id: tracker.id, label: tracker.label })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .innerJoin(tariff, eq(tariff.id, source.tariff_id))
    .where(visibleTo(principal, TRACKER_SCOPE, eq(source.blocked, false), has))
    .as("usable");
}
type UsableTrackers = ReturnType<typeof selectUsableTrackers>;

/** The employees on usable trackers that have one of these names, with or without their middle name. */
function selectPeopleOnTrackers(db: Database, principal: Principal, usable: UsableTrackers, spellings: string[]) {
  const selectPeople = (name: SQL) =>
    db
      .select({ name: sql<string>`${name}`.as("name"), tracker_id: employee.tracker_id })
      .from(employee)
      .where(visibleTo(principal, employee, among(name, spellings)));
  const people = selectPeople(WHOLE_NAME).union(selectPeople(SHORT_NAME)).as("people");
  return db
    .select(namedTrackerColumns(people.name, usable.id))
    .from(people)
    .innerJoin(usable, eq(usable.id, people.tracker_id))
    .groupBy(sql`${people.name}`);
}

function namedTrackerColumns<Name>(name: Name, id: unknown) {
  return { name, first: sql<number>`min(${id})`, last: sql<number>`max(${id})` };
}

/** All rotations of the name's parts: stored names begin with the last name, people write them in other orders. */
function spellingsOf(name: string): string[] {
  const parts = foldText(name).split(/\s+/, MAX_NAME_PARTS + 1);
  if (parts.length > MAX_NAME_PARTS) return [];
  return parts.map((_, index) => [...parts.slice(index), ...parts.slice(0, index)].join(" "));
}

function positionOf(location: Location | null): Position | null {
  return location && { lat: location.lat, lng: location.lng };
}

const WHOLE_NAME = sql`trim(replace(${employee.name_folded}, '  ', ' '))`;
/** The last and the first name, without the middle name. */
const SHORT_NAME = sql`substr(${WHOLE_NAME}, 1,
  instr(' ' || ${WHOLE_NAME} || ' ', ' ' || ${employee.first_name_folded} || ' ') + length(${employee.first_name_folded}) - 1)`;
/** `visibleTo` limits by the column `tracker_id`; for trackers that is their own id. */
const TRACKER_SCOPE = { account_id: tracker.account_id, tracker_id: tracker.id };
const MAX_NAME_PARTS = 8;
