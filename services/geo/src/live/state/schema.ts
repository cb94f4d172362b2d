import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";

const moment = () => dateTime().nullable();

/** The last known state of a tracker, with the time of each value. */
export const TrackerState = z.object({
  source_id: z.int(),
  gps: z.object({
    updated: moment(),
    signal_level: z.int().nullable(),
    location: z.object({ lat: z.number(), lng: z.number() }),
    heading: z.int(),
    speed: z.int(),
    alt: z.int(),
    precision: z.int().optional(),
    gsm_lbs: z.boolean().optional(),
  }),
  connection_status: z.enum(["signal_lost", "just_registered", "just_replaced", "offline", "idle", "active"]),
  movement_status: z.enum(["moving", "stopped", "parked"]),
  movement_status_update: moment(),
  ignition: z.boolean().optional(),
  ignition_update: moment().optional(),
  gsm: z
    .object({
      updated: moment(),
      signal_level: z.int().nullable(),
      network_name: z.string().nullable(),
      roaming: z.boolean().nullable(),
    })
    .nullable(),
  last_update: moment(),
  battery_level: z.number().nullable(),
  battery_update: moment(),
  inputs: z.array(z.boolean()),
  inputs_update: moment(),
  outputs: z.array(z.boolean()),
  outputs_update: moment(),
  additional: z.record(z.string(), z.object({ value: z.string(), updated: dateTime() })),
  actual_track_update: moment(),
});
export type TrackerState = z.output<typeof TrackerState>;

export const LastGpsPoint = z.object({
  get_time: dateTime(),
  lat: z.number(),
  lng: z.number(),
  heading: z.int(),
  satellites: z.int(),
  speed: z.int(),
  precision: z.int().optional(),
});
export type LastGpsPoint = z.output<typeof LastGpsPoint>;
