import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";

/** The tracker and the range of every call on tracks. */
export const RANGE_INPUT = { tracker_id: z.int(), from: dateTime(), to: dateTime() };

export function isForward({ from, to }: { from: number; to: number }) {
  return to > from;
}
export const NOT_FORWARD = { path: ["to"], error: "must be after from" };

export const PointLimit = z.int().min(2).max(3000).default(3000);

/** A point in an answer. */
export const PointInfo = z.object({
  lat: z.number(),
  lng: z.number(),
  alt: z.int(),
  satellites: z.int(),
  mileage: z.number(),
  get_time: writtenTime(),
  address: z.string(),
  heading: z.int(),
  speed: z.int(),
  precision: z.int().optional(),
  gsm_lbs: z.boolean(),
  parking: z.boolean(),
  buffered: z.boolean(),
});
export type PointInfo = z.output<typeof PointInfo>;

const Position = z.object({ lat: z.number(), lng: z.number() });
const Bounds = z.object({ nw: Position, se: Position });

const Drive = z.object({
  start_date: writtenTime(),
  start_address: z.string(),
  max_speed: z.int(),
  end_date: writtenTime(),
  end_address: z.string(),
  length: z.number(),
  points: z.int(),
  avg_speed: z.int(),
  event_count: z.int().optional(),
  norm_fuel_consumed: z.number().optional(),
  gsm_lbs: z.boolean(),
  points_list: z.array(PointInfo).optional(),
  bounds: Bounds,
});
const RegularTrack = Drive.extend({ type: z.literal("regular"), id: z.int() });
const MergedTrack = Drive.extend({ type: z.literal("merged") });
const SingleReport = z.object({
  type: z.literal("single_report"),
  id: z.int(),
  start_date: writtenTime(),
  start_address: z.string(),
  avg_speed: z.int(),
  gsm_lbs: z.boolean(),
  precision: z.int().optional(),
  points_list: z.array(PointInfo).optional(),
});
const Cluster = z.object({
  type: z.literal("cluster"),
  start_date: writtenTime(),
  start_address: z.string(),
  end_date: writtenTime(),
  precision: z.int().optional(),
  points: z.array(Position),
  bounds: Bounds,
  gsm_lbs: z.boolean(),
});

export type Drive = z.output<typeof Drive>;
export type RegularTrack = z.output<typeof RegularTrack>;
export type MergedTrack = z.output<typeof MergedTrack>;
export type SingleReport = z.output<typeof SingleReport>;
export type Cluster = z.output<typeof Cluster>;

export const Track = z.discriminatedUnion("type", [RegularTrack, SingleReport, MergedTrack, Cluster]);
export type Track = z.output<typeof Track>;

/** Totals of all tracks. Durations are ISO 8601. */
export const Total = z.object({
  count: z.int(),
  length: z.number(),
  trip_duration: z.string(),
  parking_duration: z.string(),
  norm_fuel_consumed: z.number().optional(),
});
export type Total = z.output<typeof Total>;

/** A time that is already formatted: streamed answers bypass the formatter of answers. */
function writtenTime() {
  return z.string().meta({ examples: ["2026-05-02 10:15:00"] });
}
