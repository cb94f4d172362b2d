import type { Account } from "../../call/account.ts";
import { RANGE } from "../range.ts";
import type { Sample } from "../sample.ts";
import { newTracker } from "./tracker.ts";

export const TELEMETRY_SAMPLES: Record<string, Sample[]> = {
  "/tracker/sensor/list": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/sensor/batch_list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) }],
  "/tracker/sensor/create": [
    { parameters: ({ tracker_id }) => ({ tracker_id, sensor: CARGO }), before: newTracker },
    {
      parameters: ({ tracker_id, sensor_id }) => ({
        tracker_id,
        sensor: { ...CARGO, input_name: "composite", group_type: "avg", parameters: { parent_ids: [sensor_id] } },
      }),
    },
  ],
  "/tracker/sensor/update": [
    {
      parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor: { ...CARGO, id: sensor_id, divider: 10 } }),
    },
    {
      parameters: ({ tracker_id, sensor_id }) => ({
        tracker_id,
        sensor: {
          ...CARGO,
          id: 1,
          input_name: "composite",
          group_type: "avg",
          parameters: { parent_ids: [sensor_id] },
        },
      }),
      before: newComposite,
    },
  ],
  "/tracker/sensor/delete": [
    { parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor_id }), before: newSensor },
  ],
  "/tracker/sensor/batch_copy": [
    {
      parameters: ({ tracker_id }) => ({ base_tracker_id: tracker_id, trackers: [tracker_id] }),
      before: async (account) => ({ trackers: [(await newTracker(account)).tracker_id] }),
    },
  ],
  "/tracker/sensor/calibration_data/read": [{ parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor_id }) }],
  "/tracker/sensor/calibration_data/update": [
    { parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor_id, data: [{ in: 0, out: 1 }] }) },
  ],
  "/tracker/sensor/input_name/list": [{ parameters: () => ({}) }],
  "/tracker/sensor/data/read": [
    { parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor_id, ...RANGE }) },
    { parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, sensor_id, ...RANGE, raw_data: true }) },
  ],
  "/tracker/counter/read": [{ parameters: ({ tracker_id }) => ({ tracker_id, type: "odometer" }) }],
  "/tracker/counter/update": [
    { parameters: ({ tracker_id }) => ({ tracker_id, type: "engine_hours", multiplier: 1.5 }) },
    { parameters: ({ tracker_id, sensor_id }) => ({ tracker_id, type: "odometer", multiplier: 1, sensor_id }) },
  ],
  "/tracker/get_counters": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/counter/value/get": [{ parameters: ({ tracker_id }) => ({ tracker_id, type: "odometer" }) }],
  "/tracker/counter/value/list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id], type: "odometer" }) }],
  "/tracker/counter/value/set": [
    { parameters: ({ tracker_id }) => ({ tracker_id, type: "fuel_consumed", value: 12.5 }) },
  ],
  "/tracker/counter/data/read": [
    { parameters: ({ tracker_id }) => ({ tracker_id, type: "odometer", ...RANGE }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, type: "engine_hours", ...RANGE }) },
  ],
  "/tracker/readings/list": [
    { parameters: ({ tracker_id }) => ({ tracker_id }) },
    { parameters: ({ tracker_id }) => ({ tracker_id, sensor_type: "temperature" }) },
  ],
  "/tracker/readings/batch_list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) }],
  "/tracker/get_readings": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/get_fuel": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/get_diagnostics": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/get_inputs": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/batch_get_inputs": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) }],
  "/tracker/get_outputs": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/tracker/batch_get_outputs": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) }],
  "/tracker/output/update": [
    { parameters: ({ tracker_id }) => ({ tracker_id, tracker_output: { number: 1, title: "Siren" } }) },
  ],
};

export const CARGO = { type: "metering", sensor_type: "temperature", name: "Cargo", input_name: "ext_temp_sensor_1" };

async function newSensor(account: Account) {
  const { tracker_id } = await newTracker(account);
  const { id } = await account.must("/tracker/sensor/create", { tracker_id, sensor: CARGO });
  return { tracker_id, sensor_id: Number(id) };
}

async function newComposite(account: Account) {
  const { tracker_id, sensor_id } = await newSensor(account);
  const sensor = { ...CARGO, input_name: "composite", group_type: "avg", parameters: { parent_ids: [sensor_id] } };
  const { id } = await account.must("/tracker/sensor/create", { tracker_id, sensor });
  return { tracker_id, sensor: { ...sensor, id } };
}
