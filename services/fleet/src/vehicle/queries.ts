import { and, eq, getTableColumns, ne, not, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { batchedReads, type Database, prepareOnce } from "#shared/database/open.ts";
import { orderBy, type Sortable } from "#shared/database/order.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow, throwIfTaken } from "#shared/database/rows.ts";
import { among, callerOf, visibleTo, visibleToCaller } from "#shared/database/scope.ts";
import { demand, outdatedError, read, retryOutdated, write } from "#shared/database/steps.ts";
import { type Binding, toBindings } from "#shared/database/tag-binding/queries.ts";
import { carriesRequestedTags } from "#shared/database/tag-binding/requested-tags.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { mergeChanges } from "#shared/operation/changes.ts";
import { foldText } from "#shared/text/fold.ts";
import { sizeOf } from "../account-size/queries.ts";
import { pickedBy, selectFiltered } from "../filtered-list/queries.ts";
import type { ListSearch } from "../filtered-list/schema.ts";
import { recording, recordingEach } from "../outbox/audit.ts";
import { garage } from "../table/garage.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { tracker } from "../table/tracker.ts";
import { vehicle } from "../table/vehicle.ts";
import { bindNew, rebind, tagsExist, tagsOf, unbindRemoved } from "../tag/binding-queries.ts";
import { textsContaining } from "../text-index/queries.ts";
import { requireBindable, selectBindable } from "../tracker/queries.ts";
import { garageExists } from "./garage/queries.ts";
import { type ChangedVehicle, NewVehicle, toVehicle, type Vehicle } from "./schema.ts";
import { hasTasks, removeTasksOfRemoved } from "./service-task/queries.ts";
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
export function insertVehicle(
  db: Database,
  principal: Principal,
  input: NewVehicle,
  reassign: boolean,
  actor: Actor,
): Promise<number> {
  const { tracker_id } = input;
  const tags = toBindings(input.tags);
  const taking = tracker_id === null ? undefined : takingOf(db, principal, tracker_id, reassign);
  return retryOutdated(async () => {
    if (taking) requireFree(await read(db, taking.asked));
    const { inserted } = await write(db, {
      holder: taking?.demanded,
      ...demandLinks(principal, input, tags),
      room: demandQuota(principal, "vehicles", sizeOf(principal, "vehicles")),
      release: taking?.release,
      inserted: db
        .insert(vehicle)
        .values({ ...rowOf(input), account_id: principal.account_id })
        .returning({ id: vehicle.id }),
      record: recording(db, actor, {
        is: ["vehicle", "create"],
        entry_id: sql`last_insert_rowid()`,
        payload: summaryOf(input),
      }),
      tagging: bindNew(db, principal, "vehicle", vehicle, tags),
    }).catch(throwIfTaken(247));
    return onlyRow(inserted).id;
  });
}

/** A tracker that stays is not asked for: it may have been blocked since. */
export function changeVehicle(
  db: Database,
  principal: Principal,
  { id, ...changes }: ChangedVehicle,
  reassign: boolean,
  actor: Actor,
): Promise<void> {
  const own = visibleTo(principal, vehicle, eq(vehicle.id, id));
  const { tracker_id, tags } = changes;
  const wanted = typeof tracker_id === "number" ? takingOf(db, principal, tracker_id, reassign, id) : undefined;
  const bindings = tags && toBindings(tags);
  return retryOutdated(async () => {
    const { found, ...asked } = await read(db, {
      found: db
        .select({ ...shown, revision })
        .from(vehicle)
        .where(own),
      ...wanted?.asked,
    });
    const [current] = found;
    if (!current) throw new ApiError(201);
    const input = mergeChanges(NewVehicle, current, changes, "vehicle");
    const moves = input.tracker_id !== current.tracker_id;
    const taking = moves ? wanted : undefined;
    if (taking) requireFree(asked);
    await write(db, {
      current: demand(isThere(vehicle, and(own, eq(vehicle.revision, current.revision))), outdatedError),
      // Service tasks are measured by the counters of the tracker that it is on.
      tasks: moves ? demand(not(hasTasks(principal, id)), () => new ApiError(261)) : undefined,
      holder: taking?.demanded,
      ...demandLinks(principal, input, bindings),
      release: taking?.release,
      update: db.update(vehicle).set(rowOf(input)).where(own),
      record: recording(db, actor, { is: ["vehicle", "update"], entry_id: id, payload: summaryOf(input) }),
      tagging: bindings && rebind(db, principal, "vehicle", id, bindings),
    }).catch(throwIfTaken(247));
  });
}

/** What it takes to give a tracker to a vehicle, `id` where that is there already. */
function takingOf(db: Database, principal: Principal, tracker_id: number, reassign: boolean, id?: number) {
  const onTracker = visibleTo(
    principal,
    vehicle,
    eq(vehicle.tracker_id, tracker_id),
    id === undefined ? undefined : ne(vehicle.id, id),
  );
  // A vehicle keeps its tracker where that may not be moved, and with it what its service tasks are measured by.
  const keeps = reassign ? and(onTracker, hasTasks(principal, vehicle.id)) : onTracker;
  return {
    asked: {
      tracker: selectBindable(db, principal, tracker_id),
      holder: db.select({ id: vehicle.id }).from(vehicle).where(keeps),
    },
    demanded: demand(not(isThere(vehicle, keeps)), outdatedError),
    release: reassign ? db.update(vehicle).set({ tracker_id: null }).where(onTracker) : undefined,
  };
}

/** The database decides, when it is written; what was asked before tells which vehicle has the tracker. */
function requireFree({ tracker = [], holder: [holder] = [] }: TrackerUse) {
  requireBindable(tracker, "vehicle.tracker_id");
  if (holder) throw new ApiError(247, { entities: [{ type: "vehicle", ids: [holder.id] }] });
}
type TrackerUse = { tracker?: { blocked: boolean }[]; holder?: { id: number }[] };

/** Another account's vehicle is "not found" too: the answer must not reveal that it exists. */
export async function requireVehicle(db: Database, principal: Principal, id: number): Promise<Vehicle> {
  const row = await byId(db).get({ ...callerOf(principal), id });
  if (!row) throw new ApiError(201);
  return toVehicle(row.vehicle, row);
}

/** Those of the ids that there were. */
export async function removeVehicles(db: Database, principal: Principal, ids: number[], actor: Actor) {
  const own = visibleTo(principal, vehicle, among(vehicle.id, ids));
  const things = sql`SELECT ${vehicle.id} AS id, json_object('label', ${vehicle.label}) AS payload FROM ${vehicle} WHERE ${own}`;
  const { removed } = await write(db, {
    record: recordingEach(db, actor, { is: ["vehicle", "delete"] }, things),
    removed: db.delete(vehicle).where(own).returning({ id: vehicle.id }),
    tagging: unbindRemoved(db, "vehicle", vehicle, ids),
    tasks: removeTasksOfRemoved(db, principal, ids),
    files: settleFiles(db, principal, actor.action_date),
  });
  return removed.map(({ id }) => id);
}

/** The first page with the count of all, then page after page. */
export function selectVehicles(db: Database, principal: Principal, search: ListSearch) {
  const texts = textsContaining("vehicle", principal, search.filter ?? "");
  return selectFiltered(db, VEHICLES, principal, search, texts && { texts });
}

function rowsOf(db: Database, ids: SQL, sort: ListSearch["sort"]) {
  return withNeighbours(db)
    .where(sql`${vehicle.id} IN (${ids})`)
    .orderBy(...orderBy(sort, SORTABLE, vehicle.id));
}

function withNeighbours(db: Database) {
  return db.select(NEIGHBOURS).from(vehicle).leftJoin(tracker, trackerOf).leftJoin(garage, garageOf).$dynamic();
}

/** That what the vehicle refers to is there. */
function demandLinks(principal: Principal, { garage_id }: NewVehicle, tags: Binding[] = []) {
  return {
    garage: demand(garageExists(principal, garage_id), () => invalid("vehicle.garage_id", "is not a garage of yours")),
    tags: demand(tagsExist(principal, tags), () => invalid("vehicle.tags", "names a tag that does not exist")),
  };
}

/** For the audit log. */
function summaryOf({ label, tracker_id }: NewVehicle) {
  return { label, tracker_id };
}

/** The columns of its row but for its account. */
export function rowOf({ tags, ...input }: NewVehicle) {
  const { label, reg_number, vin } = input;
  return {
    ...input,
    searched: [label, reg_number, vin].map(foldText).join("\n"),
    label_folded: foldText(label),
    model_folded: foldText(input.model),
    reg_number_folded: foldText(reg_number),
    vin_folded: foldText(vin),
    chassis_number_folded: foldText(input.chassis_number),
    fuel_grade_folded: foldText(input.fuel_grade),
    wheel_arrangement_folded: foldText(input.wheel_arrangement),
    tyre_size_folded: foldText(input.tyre_size),
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
const byId = prepareOnce((db) =>
  withNeighbours(batchedReads(db))
    .where(visibleToCaller(vehicle, eq(vehicle.id, sql.placeholder("id"))))
    .prepare(),
);
const trackerOf = eq(tracker.id, vehicle.tracker_id);
const garageOf = eq(garage.id, vehicle.garage_id);
/** The longest rows there can be make some 9 MB of it, and a response of the database holds 10. */
const PAGE = 1000;
const VEHICLES = {
  table: vehicle,
  thing: "vehicles" as const,
  size: PAGE,
  sortable: SORTABLE,
  walks: {
    label: "vehicle_account_label",
    reg_number: "vehicle_account_reg_number",
    model: "vehicle_account_model",
  },
  joins: sql`LEFT JOIN ${tracker} ON ${trackerOf} LEFT JOIN ${garage} ON ${garageOf}`,
  rowsOf,
  toItem: ({ vehicle, ...neighbours }: Awaited<ReturnType<typeof rowsOf>>[number]) => toVehicle(vehicle, neighbours),
};

/** Those that carry all of the tags of `requestedTags`, by id, page after page. */
export const taggedVehicles = pickedBy(VEHICLES, carriesRequestedTags(tagBinding, "vehicle", vehicle.id));
