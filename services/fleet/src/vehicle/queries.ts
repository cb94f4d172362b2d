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
import { recordChange, recordEachChange } from "../outbox/audit.ts";
import { sizeOf } from "../search/account-size-queries.ts";
import { preparePages, selectFiltered } from "../search/filtered-list-queries.ts";
import type { ListSearch } from "../search/list-search.ts";
import { matchTexts } from "../search/text-index-queries.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";
import { tracker } from "../table/tracker/tracker.ts";
import { garage } from "../table/vehicle/garage.ts";
import { vehicle } from "../table/vehicle/vehicle.ts";
import { deleteRemovedBindings, insertBindings, replaceBindings, tagsExist, tagsOf } from "../tag/binding-queries.ts";
import { requireBindable, selectBindable } from "../tracker/queries.ts";
import { garageExists } from "./garage/queries.ts";
import { type ChangedVehicle, NewVehicle, toVehicle, type Vehicle } from "./schema.ts";
import { hasTasks, removeTasksOfRemoved } from "./service-task/queries.ts";
import { updateFileExpiry } from "./service-task-file/queries.ts";

/** The columns that vehicles can be sorted by, under the names of the public API. */
export const SORTABLE: Sortable = {
  id: vehicle.id,
  ID: vehicle.id,
  label: vehicle.label_folded,
  reg_number: vehicle.reg_number_folded,
  model: vehicle.model_folded,
  type: vehicle.type,
  // Null for a vehicle without a garage: names of garages themselves are never null.
  garage_organization_name: sql`${garage.organization_name_folded}`,
  vin: vehicle.vin_folded,
  // Null for a vehicle without a tracker: labels of trackers themselves are never null.
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

/**
 * Creates a vehicle. With `reassign` its tracker is taken from another vehicle in the same transaction: at no moment do
 * two vehicles have it, or none.
 */
export function insertVehicle(
  db: Database,
  principal: Principal,
  input: NewVehicle,
  reassign: boolean,
  actor: Actor,
): Promise<number> {
  const { tracker_id } = input;
  const tags = toBindings(input.tags);
  const handover = tracker_id === null ? undefined : prepareHandover(db, principal, tracker_id, reassign);
  return retryOutdated(async () => {
    if (handover) requireFreeTracker(await read(db, handover.lookups));
    const { inserted } = await write(db, {
      holder: handover?.holderDemand,
      ...demandLinks(principal, input, tags),
      quota: demandQuota(principal, "vehicles", sizeOf(principal, "vehicles")),
      release: handover?.release,
      inserted: db
        .insert(vehicle)
        .values({ ...rowOf(input), account_id: principal.account_id })
        .returning({ id: vehicle.id }),
      record: recordChange(db, actor, {
        is: ["vehicle", "create"],
        entry_id: sql`last_insert_rowid()`,
        payload: summaryOf(input),
      }),
      tagBindings: insertBindings(db, principal, "vehicle", vehicle, tags),
    }).catch(throwIfTaken(247));
    return onlyRow(inserted).id;
  });
}

/** Changes a vehicle. Only a new tracker must be usable: the current one may have been blocked since. */
export function changeVehicle(
  db: Database,
  principal: Principal,
  { id, ...changes }: ChangedVehicle,
  reassign: boolean,
  actor: Actor,
): Promise<void> {
  const own = visibleTo(principal, vehicle, eq(vehicle.id, id));
  const { tracker_id, tags } = changes;
  const possibleHandover =
    typeof tracker_id === "number" ? prepareHandover(db, principal, tracker_id, reassign, id) : undefined;
  const bindings = tags && toBindings(tags);
  return retryOutdated(async () => {
    const { found, ...use } = await read(db, {
      found: db
        .select({ ...SHOWN_COLUMNS, revision })
        .from(vehicle)
        .where(own),
      ...possibleHandover?.lookups,
    });
    const [current] = found;
    if (!current) throw new ApiError(201);
    const input = mergeChanges(NewVehicle, current, changes, "vehicle");
    const isMoving = input.tracker_id !== current.tracker_id;
    const handover = isMoving ? possibleHandover : undefined;
    if (handover) requireFreeTracker(use);
    await write(db, {
      current: demand(isThere(vehicle, and(own, eq(vehicle.revision, current.revision))), outdatedError),
      // Service tasks compare the counters of the vehicle's tracker, so a vehicle with tasks keeps it.
      tasks: isMoving ? demand(not(hasTasks(principal, id)), () => new ApiError(261)) : undefined,
      holder: handover?.holderDemand,
      ...demandLinks(principal, input, bindings),
      release: handover?.release,
      update: db.update(vehicle).set(rowOf(input)).where(own),
      record: recordChange(db, actor, { is: ["vehicle", "update"], entry_id: id, payload: summaryOf(input) }),
      tagBindings: bindings && replaceBindings(db, principal, "vehicle", id, bindings),
    }).catch(throwIfTaken(247));
  });
}

/** The reads, the demand and the update that give a tracker to a vehicle; `id` is the vehicle's unless it is new. */
function prepareHandover(db: Database, principal: Principal, tracker_id: number, reassign: boolean, id?: number) {
  const onTracker = visibleTo(
    principal,
    vehicle,
    eq(vehicle.tracker_id, tracker_id),
    id === undefined ? undefined : ne(vehicle.id, id),
  );
  // The vehicles that keep the tracker: without `reassign` all that have it, otherwise those with service tasks, which
  // compare its counters.
  const keeps = reassign ? and(onTracker, hasTasks(principal, vehicle.id)) : onTracker;
  return {
    lookups: {
      tracker: selectBindable(db, principal, tracker_id),
      holder: db.select({ id: vehicle.id }).from(vehicle).where(keeps),
    },
    holderDemand: demand(not(isThere(vehicle, keeps)), outdatedError),
    release: reassign ? db.update(vehicle).set({ tracker_id: null }).where(onTracker) : undefined,
  };
}

/**
 * Refuses a tracker that another vehicle keeps (247 with its id). The demand in the writing batch decides; this earlier
 * read only tells the id.
 */
function requireFreeTracker({ tracker = [], holder: [holder] = [] }: TrackerUse) {
  requireBindable(tracker, "vehicle.tracker_id");
  if (holder) throw new ApiError(247, { entities: [{ type: "vehicle", ids: [holder.id] }] });
}
type TrackerUse = { tracker?: { blocked: boolean }[]; holder?: { id: number }[] };

/** Another account's vehicle is "not found", too: the answer must not reveal that it exists. */
export async function requireVehicle(db: Database, principal: Principal, id: number): Promise<Vehicle> {
  const row = await vehicleStatement(db).get({ ...callerOf(principal), id });
  if (!row) throw new ApiError(201);
  return toVehicle(row.vehicle, row);
}

/** Deletes the vehicles; answers the ids of those that existed. */
export async function removeVehicles(db: Database, principal: Principal, ids: number[], actor: Actor) {
  const own = visibleTo(principal, vehicle, among(vehicle.id, ids));
  const entries = sql`SELECT ${vehicle.id} AS id, json_object('label', ${vehicle.label}, 'tracker_id', ${vehicle.tracker_id}) AS payload
    FROM ${vehicle} WHERE ${own}`;
  const { removed } = await write(db, {
    record: recordEachChange(db, actor, { is: ["vehicle", "delete"] }, entries),
    removed: db.delete(vehicle).where(own).returning({ id: vehicle.id }),
    tagBindings: deleteRemovedBindings(db, "vehicle", vehicle, ids),
    tasks: removeTasksOfRemoved(db, principal, ids),
    files: updateFileExpiry(db, principal, actor.action_date),
  });
  return removed.map(({ id }) => id);
}

/** The first page with the number of all matching vehicles; further pages on demand. */
export function selectVehicles(db: Database, principal: Principal, search: ListSearch) {
  const texts = matchTexts("vehicle", principal, search.filter ?? "");
  return selectFiltered(db, VEHICLES, principal, search, texts && { texts });
}

function rowsOf(db: Database, ids: SQL, sort: ListSearch["sort"]) {
  return selectWithRelated(db)
    .where(sql`${vehicle.id} IN (${ids})`)
    .orderBy(...orderBy(sort, SORTABLE, vehicle.id));
}

function selectWithRelated(db: Database) {
  return db.select(COLUMNS).from(vehicle).leftJoin(tracker, isItsTracker).leftJoin(garage, isItsGarage).$dynamic();
}

/** Demands that the garage and the tags of the vehicle exist. */
function demandLinks(principal: Principal, { garage_id }: NewVehicle, tags: Binding[] = []) {
  return {
    garage: demand(garageExists(principal, garage_id), () => invalid("vehicle.garage_id", "is not a garage of yours")),
    tags: demand(tagsExist(principal, tags), () => invalid("vehicle.tags", "names a tag that does not exist")),
  };
}

/** The payload of audit records. */
function summaryOf({ label, tracker_id }: NewVehicle) {
  return { label, tracker_id };
}

/** The columns of a vehicle's row, except its account. */
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
  ...publicColumns
} = getTableColumns(vehicle);
const SHOWN_COLUMNS = { ...publicColumns, tags: tagsOf("vehicle", vehicle.id) };
const COLUMNS = {
  vehicle: SHOWN_COLUMNS,
  tracker_label: tracker.label,
  garage_organization_name: garage.organization_name,
};
const vehicleStatement = prepareOnce((db) =>
  selectWithRelated(batchedReads(db))
    .where(visibleToCaller(vehicle, eq(vehicle.id, sql.placeholder("id"))))
    .prepare(),
);
const isItsTracker = eq(tracker.id, vehicle.tracker_id);
const isItsGarage = eq(garage.id, vehicle.garage_id);
/** The longest rows make some 9 MB; a response of the database holds 10 MB. */
const MAX_ROWS_PER_PAGE = 1000;
const VEHICLES = {
  table: vehicle,
  kind: "vehicles" as const,
  size: MAX_ROWS_PER_PAGE,
  sortable: SORTABLE,
  sortIndexes: {
    label: "vehicle_account_label",
    reg_number: "vehicle_account_reg_number",
    model: "vehicle_account_model",
  },
  joins: sql`LEFT JOIN ${tracker} ON ${isItsTracker} LEFT JOIN ${garage} ON ${isItsGarage}`,
  rowsOf,
  toItem: ({ vehicle, ...related }: Awaited<ReturnType<typeof rowsOf>>[number]) => toVehicle(vehicle, related),
};

/** Vehicles that carry all of the tags of `requestedTags`, by id, in pages. */
export const taggedVehicles = preparePages(VEHICLES, carriesRequestedTags(tagBinding, "vehicle", vehicle.id));
