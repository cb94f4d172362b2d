import * as z from "zod";
import { retryOutdated } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { operation } from "../../operation.ts";
import { deliverGaugeChange } from "../../outbox/deliver-activities.ts";
import { BoundedTrackerIds, requireBounded } from "../../tracker/bounded-ids.ts";
import { requireOriginal, selectUsable } from "../../tracker/origin-queries.ts";
import { anchorsAt } from "../counter/source-queries.ts";
import { INPUT_NAMES } from "./input-names.ts";
import {
  changeCalibration,
  changeSensor,
  copySensors,
  insertSensor,
  removeSensor,
  requireChangeableSensor,
  requireSensor,
  selectSensors,
  selectSensorsOf,
} from "./queries.ts";
import { ChangedSensor, Curve, NewSensor, Sensor, toSensor } from "./schema.ts";

export const listSensors = operation("/tracker/sensor/list", {
  summary: "A tracker's sensors",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ list: z.array(Sensor) }),
  errors: [201, 208],
  async run({ tracker_id }, { db, principal }) {
    const { rows } = await selectSensors(db, principal, tracker_id);
    return { list: rows.map(toSensor) as z.output<typeof Sensor>[] }; // validated when they were stored
  },
});

export const batchListSensors = operation("/tracker/sensor/batch_list", {
  summary: "The sensors of up to 500 trackers",
  reads: true,
  input: z.object({ trackers: BoundedTrackerIds }),
  output: z.object({ result: z.record(z.string(), z.array(Sensor)) }),
  errors: [217, 221],
  async run({ trackers }, { db, principal }) {
    const found = await selectSensorsOf(db, principal, requireBounded(trackers));
    const sensorsById = found.map(({ tracker, rows }) => [tracker.tracker_id, rows.map(toSensor)]);
    return { result: Object.fromEntries(sensorsById) };
  },
});

export const createSensor = operation("/tracker/sensor/create", {
  summary: "Creates a sensor: the meaning of one of a tracker's inputs",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), sensor: NewSensor }),
  output: z.object({ id: z.int() }),
  errors: [7, 201, 208, 219, 232, 270],
  async run({ tracker_id, sensor }, { db, env, principal, actor }) {
    requireOriginal(await selectUsable(db, principal, [tracker_id]), 201);
    const anchors = anchorsAt(principal.account_id, await env.GEO.pinMeters([tracker_id]));
    const id = await insertSensor(db, principal, tracker_id, sensor, anchors, actor);
    return { id };
  },
});

export const updateSensor = operation("/tracker/sensor/update", {
  summary: "Changes a sensor, whose type must be given; members that are left out stay, as does the curve",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), sensor: ChangedSensor }),
  output: z.object({}),
  errors: [7, 201, 208, 219, 232, 270],
  async run({ tracker_id, sensor }, { db, env, principal, actor }) {
    await retryOutdated(async () => {
      const current = await requireChangeableSensor(db, principal, tracker_id, sensor.id);
      const anchors = anchorsAt(principal.account_id, await env.GEO.pinMeters([tracker_id]));
      await changeSensor(db, principal, current, sensor, anchors, actor);
    });
    await deliverGaugeChange(env, principal.account_id);
    return {};
  },
});

export const deleteSensor = operation("/tracker/sensor/delete", {
  summary: "Deletes a sensor",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), sensor_id: z.int() }),
  output: z.object({}),
  errors: [201, 208, 219],
  async run({ tracker_id, sensor_id }, { db, env, principal, actor }) {
    requireOriginal(await selectUsable(db, principal, [tracker_id]), 201);
    const anchors = anchorsAt(principal.account_id, await env.GEO.pinMeters([tracker_id]));
    await removeSensor(db, principal, tracker_id, sensor_id, anchors, actor);
    await deliverGaugeChange(env, principal.account_id);
    return {};
  },
});

export const batchCopySensors = operation("/tracker/sensor/batch_copy", {
  summary: "Replaces the sensors of trackers by copies of another tracker's sensors; all must have the same model",
  right: "tracker_update",
  input: z.object({ base_tracker_id: z.int(), trackers: z.array(z.int()).max(500) }),
  output: z.object({}),
  errors: [201, 208, 219, 272],
  async run({ base_tracker_id, trackers }, { db, env, principal, actor }) {
    const ids = [...new Set([base_tracker_id, ...trackers])];
    const found = await selectUsable(db, principal, ids);
    if (found.length < ids.length) throw new ApiError(201);
    const originals = found.map((tracker) => requireOriginal([tracker], 201));
    if (new Set(originals.map(({ model }) => model)).size > 1) throw new ApiError(272);
    const anchors = anchorsAt(principal.account_id, await env.GEO.pinMeters(trackers));
    await copySensors(db, principal, base_tracker_id, trackers, anchors, actor);
    await deliverGaugeChange(env, principal.account_id);
    return {};
  },
});

export const readCalibrationData = operation("/tracker/sensor/calibration_data/read", {
  summary: "The calibration curve of a metering sensor: values of the device and the values that they mean",
  reads: true,
  input: z.object({ tracker_id: z.int(), sensor_id: z.int() }),
  output: z.object({ value: z.array(z.object({ in: z.number(), out: z.number() })) }),
  errors: [201, 208, 228],
  async run({ tracker_id, sensor_id }, { db, principal }) {
    const { row } = await requireSensor(db, principal, tracker_id, sensor_id);
    if (row.type !== "metering") throw new ApiError(228);
    return { value: row.calibration };
  },
});

export const updateCalibrationData = operation("/tracker/sensor/calibration_data/update", {
  summary: "Replaces the calibration curve of a metering sensor",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), sensor_id: z.int(), data: Curve }),
  output: z.object({}),
  errors: [201, 208, 219, 228],
  async run(input, { db, env, principal, actor }) {
    requireOriginal(await selectUsable(db, principal, [input.tracker_id]), 201);
    await changeCalibration(db, principal, input, actor);
    await deliverGaugeChange(env, principal.account_id);
    return {};
  },
});

export const listInputNames = operation("/tracker/sensor/input_name/list", {
  summary: "The names of inputs that devices report",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(z.object({ input_name: z.string(), description: z.string() })) }),
  errors: [],
  async run() {
    return { list: INPUT_NAMES };
  },
});

export const operations = [
  listSensors,
  batchListSensors,
  createSensor,
  updateSensor,
  deleteSensor,
  batchCopySensors,
  readCalibrationData,
  updateCalibrationData,
  listInputNames,
];
