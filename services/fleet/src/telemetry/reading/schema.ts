import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";

const CONVERTED_MEMBERS = { converted_units_type: z.string().nullable(), converted_value: z.number().nullable() };

export const SensorValue = z.object({
  label: z.string(),
  name: z.string(),
  type: z.string(),
  value: z.number(),
  units_type: z.string(),
  units: z.string(),
  ...CONVERTED_MEMBERS,
});

export const Readings = z.object({
  inputs: z.array(
    SensorValue.extend({
      sensor_id: z.int(),
      min_value: z.number().optional(),
      max_value: z.number().optional(),
      composite_sensor_ids: z.array(z.int()).optional(),
      update_time: dateTime(),
    }),
  ),
  states: z
    .array(
      z.object({
        field: z.string(),
        value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
        update_time: dateTime(),
      }),
    )
    .optional(),
  virtual_sensors: z.array(
    z.object({
      sensor_id: z.int(),
      label: z.string(),
      type: z.string(),
      value: z.string(),
      update_time: dateTime(),
    }),
  ),
  counters: z.array(z.object({ type: z.string(), value: z.number(), update_time: dateTime() })).optional(),
});
export type Readings = z.output<typeof Readings>;
