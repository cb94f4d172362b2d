import * as z from "zod";

/** Writes times as `HH:MM:SS` instead of `HH:MM`. */
export const SECONDS = { show_seconds: z.boolean().default(false) };
/** Leaves out the sheets of trackers and employees without any data. */
export const TABS = { hide_empty_tabs: z.boolean().default(false) };
export const SUMMARY = {
  include_summary_sheet: z.boolean().default(true),
  include_summary_sheet_only: z.boolean().default(false),
};
/** The smart filter leaves out short trips. */
export const FILTER = { filter: z.boolean().default(true) };
export const COORDINATES = { show_coordinates: z.boolean().default(false) };

/** The sensors to report, each with its tracker. */
export const SENSORS = {
  sensors: z
    .array(z.object({ tracker_id: z.int(), sensor_id: z.int() }))
    .min(1)
    .max(1000),
};
/**
 * The charts, which JSON answers leave out: their horizontal axis, and whether each value is the mean of its
 * neighbours.
 */
export const GRAPH = { graph_type: z.enum(["time", "mileage"]).default("time"), smoothing: z.boolean().default(false) };
export const DETAILS = {
  details_interval_seconds: z.int().min(30).max(21_600).optional(),
  /** The older parameter for the interval, used without the other one. */
  details_interval_minutes: z.union([5, 30, 60, 180, 360].map((minutes) => z.literal(minutes))).optional(),
};
export const GROUPED = { group_by_driver: z.boolean().default(false) };

/** The length of an interval in milliseconds; an hour if none was given. */
export function toIntervalMs({ details_interval_seconds, details_interval_minutes }: DetailOptions): number {
  return (details_interval_seconds ?? (details_interval_minutes ?? 60) * 60) * 1000;
}

export type GraphOptions = z.output<z.ZodObject<typeof GRAPH>>;
type DetailOptions = { details_interval_seconds?: number; details_interval_minutes?: number };
