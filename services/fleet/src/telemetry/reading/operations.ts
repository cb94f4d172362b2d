import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { dateTime } from "#shared/operation/fields.ts";
import type { FleetEnv } from "../../env.ts";
import { operation } from "../../operation.ts";
import type { SensorRow } from "../../table/telemetry/sensor.ts";
import { BoundedTrackerIds, requireBounded } from "../../tracker/bounded-ids.ts";
import { requireAllUsable, requireUsable, selectUsable, type UsableTracker } from "../../tracker/origin-queries.ts";
import { selectCounterRows, toSegmentedCounter } from "../counter/queries.ts";
import type { SegmentedCounter } from "../counter/value.ts";
import { readValuesNow } from "../counter/values-now.ts";
import { selectSensorRows, selectSensors } from "../sensor/queries.ts";
import { METERING_TYPES, VIRTUAL_TYPES } from "../sensor/schema.ts";
import { type MeteringReading, type SensorSearch, toReadings } from "./readings.ts";
import { Readings, SensorValue } from "./schema.ts";

const SEARCH = {
  sensor_type: z.enum([...METERING_TYPES, ...VIRTUAL_TYPES]).optional(),
  include_components: z.boolean().default(true),
};

export const listReadings = operation("/tracker/readings/list", {
  summary: "The values of a tracker's sensors and counters",
  reads: true,
  input: z.object({ tracker_id: z.int(), ...SEARCH }),
  output: Readings,
  errors: [204, 208],
  async run({ tracker_id, ...search }, { db, env, principal }) {
    const measured = await selectMeasuredTrackers(db, principal, [tracker_id]);
    requireUsable(measured.trackers, 204);
    const [first] = await fetchReadings(measured, search, env, principal);
    if (!first) throw new ApiError(204);
    return first.readings;
  },
});

export const batchListReadings = operation("/tracker/readings/batch_list", {
  summary: "The values of the sensors and counters of up to 500 trackers",
  reads: true,
  input: z.object({ trackers: BoundedTrackerIds, ...SEARCH }),
  output: z.object({ result: z.record(z.string(), Readings) }),
  errors: [217, 221],
  async run({ trackers, ...search }, { db, env, principal }) {
    const ids = requireBounded(trackers);
    const measured = await selectMeasuredTrackers(db, principal, ids);
    requireAllUsable(measured.trackers, ids);
    const found = await fetchReadings(measured, search, env, principal);
    return { result: Object.fromEntries(found.map(({ tracker_id, readings }) => [tracker_id, readings])) };
  },
});

const VALUE_MEMBERS = { user_time: dateTime(), inputs: z.array(SensorValue), update_time: dateTime().nullable() };

export const getReadings = operation("/tracker/get_readings", {
  summary: "The values of a tracker's sensors, except those of fuel and of the vehicle's bus",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object(VALUE_MEMBERS),
  errors: [201, 208],
  async run({ tracker_id }, call) {
    return (await fetchValues(tracker_id, call, (reading) => !isFuel(reading) && !isDiagnostic(reading))).values;
  },
});

export const getFuel = operation("/tracker/get_fuel", {
  summary: "The values of a tracker's fuel sensors",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object(VALUE_MEMBERS),
  errors: [201, 208],
  async run({ tracker_id }, call) {
    return (await fetchValues(tracker_id, call, isFuel)).values;
  },
});

export const getDiagnostics = operation("/tracker/get_diagnostics", {
  summary: "The values of a tracker's sensors on the vehicle's bus, and further values of the vehicle from its device",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ ...VALUE_MEMBERS, states: z.record(z.string(), z.string()).nullable() }),
  errors: [201, 208],
  async run({ tracker_id }, call) {
    const { values, last } = await fetchValues(
      tracker_id,
      call,
      (reading) => !isFuel(reading) && isDiagnostic(reading),
    );
    const states = STATE_FIELDS.flatMap((name) => {
      const state = last?.values[name];
      return state ? [[name, state.value]] : [];
    });
    return { ...values, states: states.length > 0 ? Object.fromEntries(states) : null };
  },
});

export const operations = [listReadings, batchListReadings, getReadings, getFuel, getDiagnostics];

type MeasuredTrackers = { trackers: UsableTracker[]; rows: SensorRow[]; counters: SegmentedCounter[] };

/** The readings of each tracker. A search for one type of sensors leaves out the counters. */
async function fetchReadings(
  { trackers, rows, counters }: MeasuredTrackers,
  search: SensorSearch,
  env: FleetEnv,
  principal: Principal,
) {
  const feed_ids = [...new Set(trackers.map(({ feed_id }) => feed_id))];
  const sensorsOf = Map.groupBy(rows, ({ tracker_id }) => tracker_id);
  const countersOf = Map.groupBy(counters, ({ tracker_id }) => tracker_id);
  const feeds = feed_ids.map((feed_id) => ({ feed_id, counters: countersOf.get(feed_id) ?? [] }));
  const withCounters = search.sensor_type === undefined;
  const [last, values] = await Promise.all([
    env.GEO.readingsOf(feed_ids),
    withCounters ? readValuesNow(env, feeds) : [],
  ]);
  return trackers.map(({ tracker_id, feed_id }) => {
    const measured = toReadings(sensorsOf.get(feed_id) ?? [], last[feed_id], principal.measurement_system, search);
    const readings = withCounters ? { ...measured, counters: values[feed_ids.indexOf(feed_id)] ?? [] } : measured;
    return { tracker_id, readings };
  });
}

/** The trackers with their sensors and counters, in one trip to the database. */
async function selectMeasuredTrackers(db: Database, principal: Principal, ids: number[]): Promise<MeasuredTrackers> {
  const { trackers, rows, counters } = await read(db, {
    trackers: selectUsable(db, principal, ids),
    rows: selectSensorRows(db, principal, ids),
    counters: selectCounterRows(db, principal, ids),
  });
  return { trackers, rows, counters: counters.map(toSegmentedCounter) };
}

async function fetchValues(
  tracker_id: number,
  { db, env, principal, clock }: Call<FleetEnv>,
  isShown: (reading: MeteringReading) => boolean,
) {
  const { tracker, rows } = await selectSensors(db, principal, tracker_id);
  const last = (await env.GEO.readingsOf([tracker.feed_id]))[tracker.feed_id];
  const inputs = toReadings(rows, last, principal.measurement_system).inputs.filter(isShown);
  const update_time = inputs.length > 0 ? Math.max(...inputs.map((one) => one.update_time)) : null;
  return { last, values: { user_time: clock.now(), inputs: inputs.map(toValue), update_time } };
}

function toValue({
  label,
  name,
  type,
  value,
  units_type,
  units,
  converted_units_type,
  converted_value,
}: MeteringReading) {
  return { label, name, type, value, units_type, units, converted_units_type, converted_value };
}

function isFuel({ type }: MeteringReading) {
  return type === "fuel" || type === "fuel_consumption" || type === "instant_consumption";
}

/** True for values from the vehicle's CAN bus or OBD port. */
function isDiagnostic({ name }: MeteringReading) {
  return name.startsWith("can_") || name.startsWith("obd_");
}

/** Fields that describe the vehicle without measuring. */
const STATE_FIELDS = ["obd_vin", "obd_mil_status", "hardware_key"];
