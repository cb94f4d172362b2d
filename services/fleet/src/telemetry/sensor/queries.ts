import { and, asc, eq, exists, type SQL, sql } from "drizzle-orm";
import { type Actor, someOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { isAsRead, onlyRow, throwIfTaken } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, outdatedError, read, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { isTaken, takenColumns } from "#shared/error/failure.ts";
import { mergeChanges } from "#shared/operation/changes.ts";
import { type Bend, gaugesOf, type TrackerGauge } from "#shared/telemetry/sensor.ts";
import { recordChange } from "../../outbox/audit.ts";
import { type SensorRow, sensor } from "../../table/telemetry/sensor.ts";
import {
  isOnOriginal,
  isOwn,
  requireAllUsable,
  requireOriginal,
  requireUsable,
  selectUsable,
} from "../../tracker/origin-queries.ts";
import { type Anchors, recount } from "../counter/source-queries.ts";
import { type ChangedSensor, NewSensor, rowOf, toCalibrated, toSensor } from "./schema.ts";

/** The tracker and its sensors; a clone has those of its original. */
export async function selectSensors(db: Database, principal: Principal, tracker_id: number, missing: 201 | 204 = 201) {
  const { trackers, rows } = await selectTrackersAndSensors(db, principal, [tracker_id]);
  return { tracker: requireUsable(trackers, missing), rows };
}

/** Each of the trackers with its sensors; 217 unless all trackers are usable. */
export async function selectSensorsOf(db: Database, principal: Principal, ids: number[]) {
  const { trackers, rows } = await selectTrackersAndSensors(db, principal, ids);
  const byFeed = Map.groupBy(rows, ({ tracker_id }) => tracker_id);
  return requireAllUsable(trackers, ids).map((tracker) => ({ tracker, rows: byFeed.get(tracker.feed_id) ?? [] }));
}

/** The sensor of this tracker; a sensor of another one is "not found" (201), too. */
export async function requireSensor(db: Database, principal: Principal, tracker_id: number, id: number) {
  const { trackers, rows } = await selectTrackerAndSensor(db, principal, tracker_id, id);
  const tracker = requireUsable(trackers, 201);
  const [row] = rows;
  if (!row) throw new ApiError(201);
  return { tracker, row };
}

/** A sensor with its curve and its parts, for services that measure points; 228 for a discrete sensor. */
export async function requireGauge(db: Database, principal: Principal, tracker_id: number, id: number) {
  const { tracker, rows } = await selectSensors(db, principal, tracker_id);
  const gauge = gaugesOf(rows.map(toCalibrated)).find(({ sensor }) => sensor.id === id);
  if (!gauge) throw new ApiError(201);
  if (gauge.sensor.type === "discrete") throw new ApiError(228);
  const { feed_id, feed_account_id, store_period } = tracker;
  return { feed: { tracker_id: feed_id, account_id: feed_account_id }, store_period, gauge };
}

/** The sensors of the account for rules, which have no principal; unknown ids are left out. */
export async function selectGauges(
  db: Database,
  account_id: number,
  ids: number[],
): Promise<Record<number, TrackerGauge>> {
  const trackers = sql`SELECT ${sensor.tracker_id} FROM ${sensor} WHERE ${among(sensor.id, ids)}`;
  const rows = await db
    .select()
    .from(sensor)
    .where(and(eq(sensor.account_id, account_id), sql`${sensor.tracker_id} IN (${trackers})`));
  const requested = new Set(ids);
  const gauges = [...Map.groupBy(rows, ({ tracker_id }) => tracker_id)].flatMap(([tracker_id, own]) =>
    gaugesOf(own.map(toCalibrated)).map((gauge) => ({ tracker_id, gauge })),
  );
  const found = gauges.filter(({ gauge }) => requested.has(gauge.sensor.id));
  return Object.fromEntries(found.map((one) => [one.gauge.sensor.id, one]));
}

export async function insertSensor(
  db: Database,
  principal: Principal,
  tracker_id: number,
  input: NewSensor,
  anchors: Anchors,
  actor: Actor,
) {
  const row = { ...rowOf(input), account_id: principal.account_id, tracker_id, calibration: [] };
  const { inserted } = await write(db, {
    parents: demand(parentsExist(row, parentsOf(input)), unknownParent),
    own: demand(isOwn(principal, tracker_id), () => new ApiError(201)),
    quota: demand(hasQuota(row), () => new ApiError(270)),
    inserted: db.insert(sensor).values(row).returning({ id: sensor.id }),
    record: recordChange(db, actor, {
      is: ["sensor", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { tracker_id, name: input.name },
    }),
    ...recount(db, anchors),
  }).catch(refuseTaken);
  return onlyRow(inserted).id;
}

/** The sensor to change; 219 for a clone, whose sensors belong to its original. */
export async function requireChangeableSensor(db: Database, principal: Principal, tracker_id: number, id: number) {
  const { trackers, rows } = await selectTrackerAndSensor(db, principal, tracker_id, id);
  requireOriginal(trackers, 201);
  const [row] = rows;
  if (!row) throw new ApiError(201);
  return row;
}

/** Changes a sensor. Its type must stay: rules and counters that refer to the sensor depend on it. */
export async function changeSensor(
  db: Database,
  principal: Principal,
  current: SensorRow,
  { id, ...changes }: ChangedSensor,
  anchors: Anchors,
  actor: Actor,
) {
  const { tracker_id, account_id, type } = current;
  if (changes.type !== type) throw invalid("sensor.type", "must stay what it is");
  const input = mergeChanges(NewSensor, toSensor(current), changes, "sensor");
  const row = { ...rowOf(input), account_id, tracker_id };
  const own = isOfTracker(principal, tracker_id, id);
  const parents = parentsOf(input);
  const areParents = parents.includes(id) ? sql`FALSE` : parentsExist(row, parents);
  const fitsQuota = current.sensor_type === input.sensor_type ? undefined : hasQuota(row);
  await write(db, {
    current: demand(isAsRead(sensor, current), outdatedError),
    parents: demand(areParents, unknownParent),
    quota: demand(fitsQuota, () => new ApiError(270)),
    update: db.update(sensor).set(row).where(own),
    record: recordChange(db, actor, {
      is: ["sensor", "update"],
      entry_id: id,
      payload: { tracker_id, name: input.name },
    }),
    ...recount(db, anchors),
  }).catch(throwIfTaken(232));
}

export async function removeSensor(
  db: Database,
  principal: Principal,
  tracker_id: number,
  id: number,
  anchors: Anchors,
  actor: Actor,
) {
  await write(db, {
    deletion: db.delete(sensor).where(isOfTracker(principal, tracker_id, id)),
    existed: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["sensor", "delete"], entry_id: id, payload: { tracker_id } }),
    ...recount(db, anchors),
  });
}

/** Replaces the curve of a metering sensor; 228 for others. */
export async function changeCalibration(
  db: Database,
  principal: Principal,
  { tracker_id, sensor_id, data }: { tracker_id: number; sensor_id: number; data: Bend[] },
  actor: Actor,
) {
  const own = isOfTracker(principal, tracker_id, sensor_id);
  await write(db, {
    existing: demand(exists(db.select().from(sensor).where(own)), () => new ApiError(201)),
    update: db
      .update(sensor)
      .set({ calibration: data })
      .where(and(own, eq(sensor.type, "metering"))),
    metering: demandChange(() => new ApiError(228)),
    record: recordChange(db, actor, { is: ["sensor", "calibrate"], entry_id: sensor_id, payload: { tracker_id } }),
  });
}

/** Replaces the targets' sensors by copies of the base's sensors, with their curves. */
export async function copySensors(
  db: Database,
  principal: Principal,
  base: number,
  targets: number[],
  anchors: Anchors,
  actor: Actor,
) {
  const otherTargets = targets.filter((id) => id !== base);
  const account = eq(sensor.account_id, principal.account_id);
  const onTargets = and(account, among(sensor.tracker_id, otherTargets));
  const columns = sql.raw(COPIED_COLUMNS.map((name) => `base.${name}`).join(", "));
  await write(db, {
    deletion: db.delete(sensor).where(onTargets),
    copies: db.insert(sensor).select(
      sql`SELECT NULL, base.account_id, target.value, ${columns} FROM json_each(${JSON.stringify(otherTargets)}) AS target
        JOIN ${sensor} AS base ON base.account_id = ${principal.account_id} AND base.tracker_id = ${base}
        WHERE TRUE ORDER BY target.key, base.id`,
    ),
    // Lets each copied composite refer to the copies on its own tracker.
    parents: db
      .update(sensor)
      .set({
        parameters: sql`json_set(${sensor.parameters}, '$.parent_ids', (SELECT json_group_array(copy.id)
          FROM json_each(${sensor.parameters}, '$.parent_ids') AS parent
          JOIN ${sensor} AS old ON old.id = parent.value
          JOIN ${sensor} AS copy ON copy.account_id = old.account_id AND copy.tracker_id = sensor.tracker_id AND copy.slot = old.slot))`,
      })
      .where(and(onTargets, sql`json_array_length(${sensor.parameters}, '$.parent_ids') > 0`)),
    record: recordChange(
      db,
      actor,
      { is: ["sensor", "copy"], entry_id: base, payload: { trackers: someOf(otherTargets) } },
      sql`TRUE`,
    ),
    ...recount(db, anchors),
  });
}

function selectTrackerAndSensor(db: Database, principal: Principal, tracker_id: number, id: number) {
  return read(db, {
    trackers: selectUsable(db, principal, [tracker_id]),
    rows: db
      .select()
      .from(sensor)
      .where(and(eq(sensor.id, id), isOnOriginal(principal, sensor, [tracker_id]))),
  });
}

function selectTrackersAndSensors(db: Database, principal: Principal, ids: number[]) {
  return read(db, { trackers: selectUsable(db, principal, ids), rows: selectSensorRows(db, principal, ids) });
}

export function selectSensorRows(db: Database, principal: Principal, ids: number[]) {
  return db
    .select()
    .from(sensor)
    .where(isOnOriginal(principal, sensor, ids))
    .orderBy(asc(sensor.tracker_id), asc(sensor.id));
}

function isOfTracker(principal: Principal, tracker_id: number, id: number) {
  return visibleTo(principal, sensor, eq(sensor.id, id), eq(sensor.tracker_id, tracker_id));
}

type PlacedSensor = Pick<SensorRow, "account_id" | "tracker_id" | "sensor_type">;

function hasQuota({ account_id, tracker_id, sensor_type }: PlacedSensor) {
  return sql`(SELECT count(*) FROM ${sensor} AS other WHERE other.account_id = ${account_id}
    AND other.tracker_id = ${tracker_id} AND other.sensor_type = ${sensor_type}) < ${MAX_SENSORS_PER_TYPE}`;
}

function parentsOf(input: NewSensor): number[] {
  return input.type === "metering" ? [...new Set(input.parameters.parent_ids ?? [])] : [];
}

/** Condition: the ids are metering sensors of the same tracker, and no composites; undefined without ids. */
function parentsExist({ account_id, tracker_id }: PlacedSensor, ids: number[]): SQL | undefined {
  if (ids.length === 0) return undefined;
  return sql`(SELECT count(*) FROM ${sensor} AS parent WHERE parent.account_id = ${account_id}
    AND parent.tracker_id = ${tracker_id} AND parent.type = 'metering' AND parent.slot IS NOT NULL
    AND parent.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))) = ${ids.length}`;
}

function unknownParent() {
  return invalid("sensor.parameters.parent_ids", "must be metering sensors of the tracker");
}

function refuseTaken(thrown: unknown): never {
  if (!isTaken(thrown)) throw thrown;
  // A second ignition sensor is 270 even when its input is free.
  throw new ApiError(takenColumns(thrown).includes("sensor_type") ? 270 : 232);
}

/** The columns that a copy takes from its base, in the order of the table. */
const COPIED_COLUMNS = [
  "type",
  "sensor_type",
  "name",
  "input_name",
  "input_number",
  "group_type",
  "divider",
  "accuracy",
  "units",
  "units_type",
  "parameters",
  "calibration",
  "slot",
];
/** Devices have at most 16 level and 10 temperature sensors of their own; virtual sensors may share an input. */
export const MAX_SENSORS_PER_TYPE = 40;
