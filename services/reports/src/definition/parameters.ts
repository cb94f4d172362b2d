import { z } from "zod";

/** Times as `HH:MM:SS` instead of `HH:MM`. */
export const SECONDS = { show_seconds: z.boolean().default(false) };
/** Things of which there is nothing to show are left out. */
export const TABS = { hide_empty_tabs: z.boolean().default(false) };
export const SUMMARY = {
  include_summary_sheet: z.boolean().default(true),
  include_summary_sheet_only: z.boolean().default(false),
};
/** The smart filter: short trips are left out. */
export const FILTER = { filter: z.boolean().default(true) };
export const COORDINATES = { show_coordinates: z.boolean().default(false) };

/** Of each tracker those that are meant. */
export const SENSORS = {
  sensors: z
    .array(z.object({ tracker_id: z.int(), sensor_id: z.int() }))
    .min(1)
    .max(1000),
};
/** Of the charts, which have no form in JSON: along what, and whether values are the mean of those around them. */
export const GRAPH = { graph_type: z.enum(["time", "mileage"]).default("time"), smoothing: z.boolean().default(false) };
export const DETAILS = {
  details_interval_seconds: z.int().min(30).max(21_600).optional(),
  /** The older form of the same. */
  details_interval_minutes: z.union([5, 30, 60, 180, 360].map((minutes) => z.literal(minutes))).optional(),
};
export const GROUPED = { group_by_driver: z.boolean().default(false) };

/** Milliseconds; an hour where none was given. */
export function toIntervalMs({ details_interval_seconds, details_interval_minutes }: DetailOptions): number {
  return (details_interval_seconds ?? (details_interval_minutes ?? 60) * 60) * 1000;
}

export type GraphOptions = z.output<z.ZodObject<typeof GRAPH>>;
type DetailOptions = { details_interval_seconds?: number; details_interval_minutes?: number };
