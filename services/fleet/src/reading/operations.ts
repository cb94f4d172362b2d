import { z } from "zod";
import { dateTime } from "#shared/fields.ts";
import type { Call } from "#shared/operation.ts";
import type { FleetEnv } from "../env.ts";
import { operation } from "../operation.ts";
import { requireFew } from "../sensor/operations.ts";
import { selectSensors, selectSensorsOf } from "../sensor/queries.ts";
import { METERING_TYPES, VIRTUAL_TYPES } from "../sensor/schema.ts";
import { readingsOf, type Shown } from "./readings.ts";
import { Readings, SensorValue } from "./schema.ts";

const WANTED = {
  sensor_type: z.enum([...METERING_TYPES, ...VIRTUAL_TYPES]).optional(),
  include_components: z.boolean().default(true),
};

export const listReadings = operation("/tracker/readings/list", {
  summary: "What a tracker's sensors and counters show",
  reads: true,
  input: z.object({ tracker_id: z.int(), ...WANTED }),
  output: Readings,
  errors: [204, 208],
  async run({ tracker_id, ...wanted }, { db, env, principal }) {
    const { tracker, rows } = await selectSensors(db, principal, tracker_id, 204);
    const told = await env.GEO.readingsOf([tracker.feed_id]);
    return readingsOf(rows, told[tracker.feed_id], principal.measurement_system, wanted);
  },
});

export const listReadingsOf = operation("/tracker/readings/batch_list", {
  summary: "What the sensors and counters of up to 500 trackers show",
  reads: true,
  input: z.object({ trackers: z.array(z.int()), ...WANTED }),
  output: z.object({ result: z.record(z.string(), Readings) }),
  errors: [217, 221],
  async run({ trackers, ...wanted }, { db, env, principal }) {
    const found = await selectSensorsOf(db, principal, requireFew(trackers));
    const told = await env.GEO.readingsOf(found.map(({ tracker }) => tracker.feed_id));
    const shown = found.map(({ tracker, rows }) => [
      tracker.tracker_id,
      readingsOf(rows, told[tracker.feed_id], principal.measurement_system, wanted),
    ]);
    return { result: Object.fromEntries(shown) };
  },
});

const Values = { user_time: dateTime(), inputs: z.array(SensorValue), update_time: dateTime().nullable() };

export const getReadings = operation("/tracker/get_readings", {
  summary: "What a tracker's sensors show that measure neither fuel nor a vehicle's bus",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object(Values),
  errors: [201, 208],
  async run({ tracker_id }, call) {
    return (await valuesOf(tracker_id, call, (shown) => !isFuel(shown) && !isDiagnostic(shown))).values;
  },
});

export const getFuel = operation("/tracker/get_fuel", {
  summary: "What a tracker's fuel sensors show",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object(Values),
  errors: [201, 208],
  async run({ tracker_id }, call) {
    return (await valuesOf(tracker_id, call, isFuel)).values;
  },
});

export const getDiagnostics = operation("/tracker/get_diagnostics", {
  summary: "What a tracker's sensors on the vehicle's bus show, and what else it told of the vehicle",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ ...Values, states: z.record(z.string(), z.string()).nullable() }),
  errors: [201, 208],
  async run({ tracker_id }, call) {
    const { values, told } = await valuesOf(tracker_id, call, (shown) => !isFuel(shown) && isDiagnostic(shown));
    const states = STATES.flatMap((name) => {
      const known = told?.values[name];
      return known ? [[name, known.value]] : [];
    });
    return { ...values, states: states.length > 0 ? Object.fromEntries(states) : null };
  },
});

async function valuesOf(
  tracker_id: number,
  { db, env, principal, clock }: Call<FleetEnv>,
  isWanted: (shown: Shown) => boolean,
) {
  const { tracker, rows } = await selectSensors(db, principal, tracker_id);
  const told = (await env.GEO.readingsOf([tracker.feed_id]))[tracker.feed_id];
  const shown = readingsOf(rows, told, principal.measurement_system).inputs.filter(isWanted);
  const update_time = shown.length > 0 ? Math.max(...shown.map((one) => one.update_time)) : null;
  return { told, values: { user_time: clock.now(), inputs: shown.map(toValue), update_time } };
}

function toValue({ label, name, type, value, units_type, units, converted_units_type, converted_value }: Shown) {
  return { label, name, type, value, units_type, units, converted_units_type, converted_value };
}

function isFuel({ type }: Shown) {
  return type === "fuel" || type === "fuel_consumption" || type === "instant_consumption";
}

/** On the vehicle's bus. */
function isDiagnostic({ name }: Shown) {
  return name.startsWith("can_") || name.startsWith("obd_");
}

/** What tells of the vehicle without being measured. */
const STATES = ["obd_vin", "obd_mil_status", "hardware_key"];
