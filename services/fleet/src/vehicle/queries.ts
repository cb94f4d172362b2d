import { and, count, eq, exists, getTableColumns, ne, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { type Database, prepared } from "#shared/database/open.ts";
import { orderBy, type Sortable } from "#shared/database/order.ts";
import { only, rowIf, taken } from "#shared/database/rows.ts";
import { among, callerOf, visibleTo, visibleToCaller } from "#shared/database/scope.ts";
import { inOrder } from "#shared/database/tag-binding/queries.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { type Page, type Part, pageAt } from "#shared/operation/list-answer.ts";
import { anywhere, folded } from "#shared/text/folded.ts";
import { recording, recordingEach } from "../outbox/audit.ts";
import { garage } from "../table/garage.ts";
import { tracker } from "../table/tracker.ts";
import { vehicle } from "../table/vehicle.ts";
import { bindNew, rebind, tagsExist, tagsOf, unbindRemoved } from "../tag/bindings.ts";
import { idsContaining } from "../text-index/find.ts";
import { requireBindable } from "../tracker/queries.ts";
import { garageExists } from "./garage/queries.ts";
import { type NewVehicle, toVehicle, type Vehicle } from "./schema.ts";
import { deleteOfGone, hasOpenTasks } from "./service-task/queries.ts";
import { settleFiles } from "./service-task-file/queries.ts";

/** Everything that vehicles are sorted by, under the contract's names. */
export const SORTABLE: Sortable = {
  id: vehicle.id,
  ID: vehicle.id,
  label: vehicle.label_folded,
  reg_number: vehicle.reg_number_folded,
  model: vehicle.model_folded,
  type: vehicle.type,
  // Null for a vehicle without a garage, though no garage is without a name.
  garage_organization_name: sql`${garage.organization_name_folded}`,
  vin: vehicle.vin_folded,
  // Null for a vehicle without a tracker, though no tracker is without a label.
  tracker_label: sql`${tracker.label_folded}`,
  fuel_type: vehicle.fuel_type,
  fuel_grade: vehicle.fuel_grade_folded,
  norm_avg_fuel_consumption: vehicle.norm_avg_fuel_consumption,
  fuel_tank_volume: vehicle.fuel_tank_volume,
  payload_weight: vehicle.payload_weight,
  chassis_number: vehicle.chassis_number_folded,
  subtype: vehicle.subtype,
  wheel_arrangement: vehicle.wheel_arrangement_folded,
  tyres_number: vehicle.tyres_number,
  tyres_size: vehicle.tyre_size_folded,
  tyre_size: vehicle.tyre_size_folded,
  max_speed: vehicle.max_speed,
  passengers: vehicle.passengers,
};

/** One transaction: at no moment is the tracker on two vehicles, or on none. */
export async function insertVehicle(
  db: Database,
  principal: Principal,
  input: NewVehicle,
  reassign: boolean,
  actor: Actor,
) {
  await requireBindable(db, principal, input.tracker_id, "vehicle.tracker_id");
  const row = { ...rowOf(input), account_id: principal.account_id };
  const tags = inOrder(input.tags);
  // Without the garage or a tag nothing is changed: no tracker is released either.
  const linked = and(garageExists(principal, input.garage_id), tagsExist(principal, tags));
  const [, [inserted], , , [links]] = await db
    .batch([
      releaseTracker(db, principal, input.tracker_id, reassign, linked),
      db
        .insert(vehicle)
        .select(rowIf(vehicle, row, linked))
        .returning({ id: vehicle.id }),
      recording(db, actor, {
        is: ["vehicle", "create"],
        entry_id: sql`last_insert_rowid()`,
        payload: { label: input.label, tracker_id: input.tracker_id },
      }),
      bindNew(db, principal, "vehicle", vehicle, tags),
      selectLinks(db, principal, input),
    ])
    .catch(taken(247));
  if (!inserted) throw missingLink(links);
  return inserted.id;
}

export async function changeVehicle(
  db: Database,
  principal: Principal,
  { id, ...input }: NewVehicle & { id: number },
  reassign: boolean,
  actor: Actor,
) {
  await requireBindable(db, principal, input.tracker_id, "vehicle.tracker_id");
  const wanted = visibleTo(principal, vehicle, eq(vehicle.id, id));
  const found = db.select({ id: vehicle.id }).from(vehicle).where(wanted);
  const tags = inOrder(input.tags);
  // With work to be done it keeps its tracker, by whose counters the work is measured.
  const keepsTracker = sql`(NOT ${hasOpenTasks(principal, id)} OR EXISTS (SELECT 1 FROM ${vehicle}
    WHERE ${wanted} AND ${vehicle.tracker_id} IS ${input.tracker_id}))`;
  const linked = and(garageExists(principal, input.garage_id), tagsExist(principal, tags), keepsTracker);
  // Where there is no such vehicle, no other one loses its tracker to it.
  const others = and(ne(vehicle.id, id), sql`EXISTS (SELECT 1 FROM ${vehicle} WHERE ${wanted})`, linked);
  const [, updated, , , , known, [links]] = await db
    .batch([
      releaseTracker(db, principal, input.tracker_id, reassign, others),
      db.update(vehicle).set(rowOf(input)).where(and(wanted, linked)).returning({ id: vehicle.id }),
      recording(db, actor, {
        is: ["vehicle", "update"],
        entry_id: id,
        payload: { label: input.label, tracker_id: input.tracker_id },
      }),
      ...rebind(db, principal, "vehicle", id, tags, and(exists(found), linked)),
      found,
      selectLinks(db, principal, input, keepsTracker),
    ])
    .catch(taken(247));
  if (known.length === 0) throw new ApiError(201);
  if (updated.length === 0) throw missingLink(links);
}

/** Another account's vehicle is "not found" too: the answer must not reveal that it exists. */
export async function requireVehicle(db: Database, principal: Principal, id: number): Promise<Vehicle> {
  const row = await byId(db).get({ ...callerOf(principal), id });
  if (!row) throw new ApiError(201);
  return toVehicle(row.vehicle, row);
}

/** Those of the ids that there were. */
export async function deleteVehicles(db: Database, principal: Principal, ids: number[], actor: Actor) {
  const wanted = visibleTo(principal, vehicle, among(vehicle.id, ids));
  const things = sql`SELECT ${vehicle.id} AS id, json_object('label', ${vehicle.label}) AS payload FROM ${vehicle} WHERE ${wanted}`;
  const [, deleted] = await db.batch([
    recordingEach(db, actor, { is: ["vehicle", "delete"] }, things),
    db.delete(vehicle).where(wanted).returning({ id: vehicle.id }),
    unbindRemoved(db, "vehicle", vehicle, ids),
    deleteOfGone(db, principal, ids),
    settleFiles(db, principal, actor.action_date),
  ]);
  return deleted.map(({ id }) => id);
}

type Wanted = Part & { filter: string | null; sort: string[] | null };

/** The first page with the count of all, then page after page. */
export async function selectVehicles(db: Database, principal: Principal, wanted: Wanted) {
  const all = visibleTo(principal, vehicle);
  if (wanted.filter) return selectFound(db, principal, containing(principal, wanted.filter), wanted);
  const [rows, counted] = await db.batch([pageOf(db, all, wanted), countOf(db, all)]);
  return { count: only(counted).count, page: pageFrom(db, all, wanted, rows) };
}

/** In one look through the account: each row of the first page knows how many there are. */
async function selectFound(db: Database, principal: Principal, condition: SQL | undefined, wanted: Wanted) {
  const visible = visibleTo(principal, vehicle, condition);
  const rows = await pageOf(db, visible, wanted, sql`count(*) OVER ()`);
  // Behind the end, or of a page of none, there is no row that could tell.
  const count = rows[0]?.total ?? only(await countOf(db, visible)).count;
  return { count, page: pageFrom(db, visible, wanted, rows) };
}

function countOf(db: Database, condition: SQL | undefined) {
  return db.select({ count: count() }).from(vehicle).where(condition);
}

/** Those that the condition picks, by id, page after page. */
export async function vehiclesWhere(db: Database, principal: Principal, condition: SQL): Promise<Page<Vehicle>> {
  const visible = visibleTo(principal, vehicle, condition);
  const all = { filter: null, sort: null, offset: 0 };
  return pageFrom(db, visible, all, await pageOf(db, visible, all));
}

/** By their ids, whatever the order is to be; for a short filter from an index that holds the texts side by side. */
function containing(principal: Principal, filter: string) {
  const inText = sql`${vehicle.searched} LIKE ${anywhere(filter)} ESCAPE '\\'`;
  const looked = sql`SELECT ${vehicle.id} FROM ${vehicle} WHERE ${visibleTo(principal, vehicle, inText)}`;
  return sql`${vehicle.id} IN (${idsContaining("vehicle_text", principal, filter) ?? looked})`;
}

function pageFrom(db: Database, visible: SQL | undefined, wanted: Wanted, rows: Row[]): Page<Vehicle> {
  const read = (part: Part) => pageOf(db, visible, { ...wanted, ...part });
  return pageAt(rows, wanted, {
    size: PAGE,
    read,
    toItem: ({ vehicle, ...neighbours }) => toVehicle(vehicle, neighbours),
  });
}

function pageOf(
  db: Database,
  visible: SQL | undefined,
  { sort, limit = PAGE, offset }: Wanted,
  total: SQL<number | null> = sql`NULL`,
) {
  // The order's columns alone are sorted; the rows are fetched for those that the page shows.
  const ids = db
    .select({ id: vehicle.id, total: total.as("total") })
    .from(vehicle)
    .leftJoin(tracker, trackerOf)
    .leftJoin(garage, garageOf)
    .where(visible)
    .orderBy(...orderBy(sort, SORTABLE, vehicle.id))
    .limit(Math.min(limit, PAGE))
    .offset(offset)
    .as("ids");
  return db
    .select({ ...NEIGHBOURS, total: ids.total })
    .from(ids)
    .innerJoin(vehicle, eq(vehicle.id, ids.id))
    .leftJoin(tracker, trackerOf)
    .leftJoin(garage, garageOf)
    .orderBy(...orderBy(sort, SORTABLE, vehicle.id));
}

type Row = Awaited<ReturnType<typeof pageOf>>[number];

function withNeighbours(db: Database) {
  return db.select(NEIGHBOURS).from(vehicle).leftJoin(tracker, trackerOf).leftJoin(garage, garageOf).$dynamic();
}

/** Nothing equals NULL: without a tracker, or without leave to move it, no vehicle is the holder. */
function releaseTracker(
  db: Database,
  principal: Principal,
  tracker_id: number | null,
  reassign: boolean,
  others?: SQL,
) {
  const holder = sql`${vehicle.tracker_id} = ${reassign ? tracker_id : null}`;
  return db
    .update(vehicle)
    .set({ tracker_id: null })
    .where(visibleTo(principal, vehicle, holder, others));
}

/** Whether what the vehicle refers to is there. */
function selectLinks(db: Database, principal: Principal, { garage_id }: NewVehicle, keepsTracker = sql`TRUE`) {
  const garage = garageExists(principal, garage_id) ?? sql`TRUE`;
  return db
    .select({ garage: sql<number>`${garage}`, keepsTracker: sql<number>`${keepsTracker}` })
    .from(sql`(SELECT 1)`);
}

function missingLink(links: { garage: number; keepsTracker: number } | undefined) {
  if (links?.keepsTracker === 0) return new ApiError(261);
  if (links?.garage === 0) return invalid("vehicle.garage_id", "is not a garage of yours");
  return invalid("vehicle.tags", "names a tag that does not exist");
}

/** The columns of its row but for its account. */
export function rowOf({ tags, ...input }: NewVehicle) {
  const { label, reg_number, vin } = input;
  return {
    ...input,
    searched: [label, reg_number, vin].map(folded).join("\n"),
    label_folded: folded(label),
    model_folded: folded(input.model),
    reg_number_folded: folded(reg_number),
    vin_folded: folded(vin),
    chassis_number_folded: folded(input.chassis_number),
    fuel_grade_folded: folded(input.fuel_grade),
    wheel_arrangement_folded: folded(input.wheel_arrangement),
    tyre_size_folded: folded(input.tyre_size),
  };
}

const {
  account_id,
  revision,
  searched,
  label_folded,
  model_folded,
  reg_number_folded,
  vin_folded,
  chassis_number_folded,
  fuel_grade_folded,
  wheel_arrangement_folded,
  tyre_size_folded,
  ...ofRow
} = getTableColumns(vehicle);
const shown = { ...ofRow, tags: tagsOf("vehicle", vehicle.id) };
const NEIGHBOURS = {
  vehicle: shown,
  tracker_label: tracker.label,
  garage_organization_name: garage.organization_name,
};
const byId = prepared((db) =>
  withNeighbours(db)
    .where(visibleToCaller(vehicle, eq(vehicle.id, sql.placeholder("id"))))
    .prepare(),
);
const trackerOf = eq(tracker.id, vehicle.tracker_id);
const garageOf = eq(garage.id, vehicle.garage_id);
/** The longest rows there can be make some 9 MB of it, and a response of the database holds 10. */
const PAGE = 1000;
