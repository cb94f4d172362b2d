import * as z from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { text } from "#shared/operation/fields.ts";
import { COMPOSITE, type Sensor as ShownSensor } from "#shared/telemetry/sensor.ts";
import type { SensorRow } from "../../table/telemetry/sensor.ts";

export const METERING_TYPES = [
  "fuel",
  "temperature",
  "rpm",
  "custom",
  "fuel_consumption",
  "instant_consumption",
  "power",
  "speed",
  "flow_meter",
  "acceleration",
] as const;
export const VIRTUAL_TYPES = ["virtual_ignition", "state"] as const;
const DISCRETE_TYPES = [
  "ignition",
  "sos_button",
  "power",
  "engine",
  "car_alarm",
  "door",
  "charge",
  "detach",
  "custom",
] as const;

const name = () => text(100).min(1);
const inputName = () => text(64).min(1);
const bound = () => z.number().nullable().optional();
const customFieldName = () => z.boolean().default(false);

const Metering = z
  .object({
    type: z.literal("metering"),
    sensor_type: z.enum(METERING_TYPES),
    name: name(),
    input_name: inputName(),
    group_type: z.enum(["sum", "avg"]).nullable().default(null),
    divider: z.number().default(1),
    /** In percent of the sensor's range. */
    accuracy: z.number().min(0).max(100).multipleOf(0.25).default(0),
    units: text(32).default(""),
    units_type: z
      .string()
      .regex(/^[a-z0-9_]{1,32}$/, { error: "must be 1 to 32 small letters, digits and underscores" })
      .default("custom"),
    parameters: z
      .object({
        parent_ids: z.array(z.int()).max(16).optional(),
        volume: bound(),
        min: bound(),
        max: bound(),
        max_lowering_by_time: bound(),
        max_lowering_by_mileage: bound(),
        ignore_drains_in_move: z.boolean().default(false),
        ignore_refuels_in_move: z.boolean().default(false),
        refuel_gap_minutes: z.int().min(0).max(1440).default(5),
        custom_field_name: customFieldName(),
      })
      .prefault({}),
  })
  .refine(({ divider }) => divider !== 0, { error: "must not be 0", path: ["divider"] })
  .refine(({ input_name, group_type }) => input_name !== COMPOSITE || group_type !== null, {
    error: "is required for a composite",
    path: ["group_type"],
  })
  .refine(({ input_name, parameters }) => input_name !== COMPOSITE || (parameters.parent_ids?.length ?? 0) > 0, {
    error: "is required for a composite",
    path: ["parameters", "parent_ids"],
  })
  .refine(({ parameters: { min, max } }) => (min ?? -Infinity) <= (max ?? Infinity), {
    error: "must not be greater than max",
    path: ["parameters", "min"],
  });

const Discrete = z.object({
  type: z.literal("discrete"),
  sensor_type: z.enum(DISCRETE_TYPES),
  name: name(),
  input_number: z.int().min(1).max(8),
});

const Virtual = z
  .object({
    type: z.literal("virtual"),
    sensor_type: z.enum(VIRTUAL_TYPES),
    name: name(),
    input_name: inputName(),
    parameters: z.object({
      calc_method: z.enum(["in_range", "identity", "bit_index"]),
      range_from: bound(),
      range_to: bound(),
      bit_index: z.int().min(1).max(32).nullable().optional(),
      value_titles: z
        .array(z.object({ value: text(64), title: text(64) }))
        .max(100)
        .refine((titles) => new Set(titles.map(({ value }) => value)).size === titles.length, {
          error: "must name each value once",
        })
        .default([]),
      custom_field_name: customFieldName(),
    }),
  })
  .refine(
    ({ parameters: { calc_method, range_from, range_to } }) =>
      calc_method !== "in_range" || typeof range_from === "number" || typeof range_to === "number",
    { error: "needs range_from or range_to", path: ["parameters", "calc_method"] },
  )
  .refine(({ parameters: { range_from, range_to } }) => (range_from ?? -Infinity) <= (range_to ?? Infinity), {
    error: "must not be greater than range_to",
    path: ["parameters", "range_from"],
  })
  .refine(
    ({ parameters: { calc_method, bit_index } }) => calc_method !== "bit_index" || typeof bit_index === "number",
    { error: "is required", path: ["parameters", "bit_index"] },
  );

const id = { id: z.int() };
export const NewSensor = z.discriminatedUnion("type", [Metering, Discrete, Virtual]);
export type NewSensor = z.output<typeof NewSensor>;
export const Sensor = withId();

/** A change must name the sensor's type, which decides the members and cannot be changed. */
export const ChangedSensor = z.discriminatedUnion("type", [
  changesOf(Metering).extend({ ...id, type: z.literal("metering") }),
  changesOf(Discrete).extend({ ...id, type: z.literal("discrete") }),
  changesOf(Virtual).extend({ ...id, type: z.literal("virtual") }),
]);
export type ChangedSensor = z.output<typeof ChangedSensor>;

/** The curve is linear between its points, so no two of them may have the same `in`. */
export const Curve = z
  .array(z.object({ in: z.number(), out: z.number() }))
  .max(1000)
  .refine((bends) => new Set(bends.map((bend) => bend.in)).size === bends.length, {
    error: "must name each in once",
  })
  .transform((bends) => bends.toSorted((one, other) => one.in - other.in));

function withId() {
  return z.discriminatedUnion("type", [Metering.safeExtend(id), Discrete.safeExtend(id), Virtual.safeExtend(id)]);
}

export function toSensor(row: SensorRow): ShownSensor {
  const { id, type, sensor_type, name, input_name, input_number, group_type, parameters } = row;
  const { divider, accuracy, units, units_type } = row;
  const identity = { id, sensor_type, name };
  if (type === "discrete") return { type, ...identity, input_number: input_number ?? 0 };
  const read = { ...identity, input_name: input_name ?? "" };
  // The parameters were validated when the sensor was stored.
  if (type === "virtual") return { type, ...read, parameters } as ShownSensor;
  return { type, ...read, group_type, divider, accuracy, units, units_type, parameters };
}

export function toCalibrated(row: SensorRow) {
  return { sensor: toSensor(row), curve: row.calibration };
}

/** The columns of a sensor's row, except account, tracker and curve. */
export function rowOf(sensor: NewSensor): Omit<SensorRow, "id" | "account_id" | "tracker_id" | "calibration"> {
  const plain = { group_type: null, divider: 1, accuracy: 0, units: "", units_type: "custom", input_number: null };
  const { type, sensor_type, name } = sensor;
  if (sensor.type === "discrete") {
    const { input_number } = sensor;
    return {
      ...plain,
      ...{ type, sensor_type, name },
      input_name: null,
      input_number,
      ...NO_PARAMETERS,
      slot: `input ${input_number}`,
    };
  }
  if (sensor.type === "virtual") return { ...plain, ...sensor, slot: null };
  const { input_name } = sensor;
  return { ...plain, ...sensor, slot: input_name === COMPOSITE ? null : `name ${input_name}` };
}

const NO_PARAMETERS = { parameters: {} };
