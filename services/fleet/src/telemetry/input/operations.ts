import * as z from "zod";
import type { LastReadings } from "#shared/contract/point/last-readings.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { operation } from "../../operation.ts";
import type { SensorRow } from "../../table/telemetry/sensor.ts";
import { BoundedTrackerIds, requireBounded } from "../../tracker/bounded-ids.ts";
import { findModel } from "../../tracker/model/models.ts";
import { selectSensors, selectSensorsOf } from "../sensor/queries.ts";

const Inputs = z.object({
  /** Item 0 is the state of input 1. */
  inputs: z.array(z.boolean()),
  states: z.array(
    z.object({ type: z.string(), name: z.string().nullable(), status: z.boolean(), input_number: z.int() }),
  ),
  update_time: dateTime().nullable(),
});

export const getInputs = operation("/tracker/get_inputs", {
  summary: "A tracker's digital inputs and their meanings",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ user_time: dateTime(), ...Inputs.shape }),
  errors: [201, 208],
  async run({ tracker_id }, { db, env, principal, clock }) {
    const { tracker, rows } = await selectSensors(db, principal, tracker_id);
    const last = await env.GEO.readingsOf([tracker.feed_id]);
    return { user_time: clock.now(), ...inputsOf(tracker.model, rows, last[tracker.feed_id]) };
  },
});

export const batchGetInputs = operation("/tracker/batch_get_inputs", {
  summary: "The digital inputs of up to 500 trackers and their meanings",
  reads: true,
  input: z.object({ trackers: BoundedTrackerIds }),
  output: z.object({ user_time: dateTime(), data: z.record(z.string(), Inputs) }),
  errors: [217, 221],
  async run({ trackers }, { db, env, principal, clock }) {
    const found = await selectSensorsOf(db, principal, requireBounded(trackers));
    const last = await env.GEO.readingsOf(found.map(({ tracker }) => tracker.feed_id));
    const inputsById = found.map(({ tracker, rows }) => [
      tracker.tracker_id,
      inputsOf(tracker.model, rows, last[tracker.feed_id]),
    ]);
    return { user_time: clock.now(), data: Object.fromEntries(inputsById) };
  },
});

export const operations = [getInputs, batchGetInputs];

function inputsOf(model: string, rows: SensorRow[], last: LastReadings | undefined): z.output<typeof Inputs> {
  const count = findModel(model)?.digital_inputs ?? 0;
  const isOn = (number: number) => ((last?.inputs?.mask ?? 0) >>> (number - 1)) % 2 === 1;
  const discrete = rows.flatMap(({ type, sensor_type, name, input_number }) =>
    type === "discrete" && input_number !== null ? [{ type: sensor_type, name, input_number }] : [],
  );
  const isTaken = discrete.some(({ type, input_number }) => type === "ignition" || input_number === DEFAULT_IGNITION);
  const all =
    isTaken || count === 0 ? discrete : [{ type: "ignition", name: null, input_number: DEFAULT_IGNITION }, ...discrete];
  return {
    inputs: Array.from({ length: count }, (_, index) => isOn(index + 1)),
    states: all.map((input) => ({ ...input, status: isOn(input.input_number) })),
    update_time: last?.inputs?.updated ?? null,
  };
}

/** The input of the ignition, unless a sensor names another one. */
const DEFAULT_IGNITION = 1;
