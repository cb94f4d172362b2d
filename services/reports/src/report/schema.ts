import * as z from "zod";
import { dateTime, text } from "#shared/operation/fields.ts";
import { ALWAYS } from "../definition/time-filter.ts";
import { PluginParameters } from "../plugin/all.ts";

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, { error: "must be a time HH:MM or HH:MM:SS" });

export const TimeFilter = z.object({
  from: Time.default(ALWAYS.from).transform(toSeconds),
  /** Without seconds, the minute counts to its end. */
  to: Time.default(ALWAYS.to).transform((time) => (time.length === 5 ? `${time}:59` : time)),
  weekdays: z.array(z.int().min(1).max(7)).min(1).max(7).default(ALWAYS.weekdays),
});

/** The plugin as it was requested, with defaults. */
const RequestedPlugin = z.looseObject({ plugin_id: z.int(), show_seconds: z.boolean() });

/** A request of a report, without its time range. */
export const Order = z.object({
  title: text(255).nullable().default(null),
  geocoder: z.string().max(64).default("osm"),
  trackers: z.array(z.int()).max(500).default([]),
  /** Used by reports about employees. */
  employees: z.array(z.int()).max(500).default([]),
  time_filter: TimeFilter.default(ALWAYS),
  plugin: PluginParameters,
  include_places_in_address: z.boolean().default(true),
  include_zones_in_address: z.boolean().default(true),
});

export const GenerateInput = Order.extend({ from: dateTime(), to: dateTime() });

const LocaleInfo = z.object({ locale: z.string(), time_zone: z.string(), measurement_system: z.string() });

const REPORT_HEAD = {
  id: z.int(),
  title: z.string(),
  created: dateTime(),
  from: dateTime(),
  to: dateTime(),
  time_filter: z.object({ from: z.string(), to: z.string(), weekdays: z.array(z.int()) }),
};

export const ReportItem = z.object({
  ...REPORT_HEAD,
  parameters: z.object({
    geocoder: z.string(),
    trackers: z.array(z.int()),
    employees: z.array(z.int()),
    plugins: z.array(RequestedPlugin),
    locale_info: LocaleInfo,
    include_places_in_address: z.boolean(),
    include_zones_in_address: z.boolean(),
  }),
  /** How much of the report is ready. */
  percent: z.int(),
  /** `scheduled` reports were made by one of the user's schedules. */
  type: z.enum(["user", "scheduled"]),
});

const Location = z.object({ lat: z.number(), lng: z.number() });
const Cell = z.object({ v: z.string(), raw: z.number(), type: z.literal("value"), location: Location.optional() });
const Column = z.object({
  field: z.string(),
  title: z.string(),
  align: z.enum(["left", "right", "center"]),
  width: z.int(),
  weight: z.int(),
  highlight_min_max: z.boolean(),
});
/** The evidence of a value or row, in UTC milliseconds; `points` lists the first or the decisive ones. */
const PlainSource = z.object({
  track_ids: z.array(z.int()),
  /** The first ids of events, tasks, check-ins, forms, changes, zones or places, depending on the report. */
  record_ids: z.array(z.int()),
  from: z.int(),
  to: z.int(),
  point_count: z.int(),
  points: z.array(z.object({ time: z.int(), lat: z.number(), lng: z.number() })),
});
/** `cells` has the evidence by field when it differs within a row. */
const ValueSource = PlainSource.extend({ cells: z.record(z.string(), PlainSource).optional() });
const Table = z.object({
  type: z.literal("table"),
  header: z.string(),
  column_groups: z.array(z.never()),
  columns: z.array(Column),
  data: z.array(
    z.object({
      header: z.string(),
      rows: z.array(z.record(z.string(), Cell)),
      total: z.object({ text: z.string() }).catchall(Cell).optional(),
      /** The evidence of the rows in their order, with `explain`. */
      sources: z.array(ValueSource).optional(),
      /** The evidence of the total, with `explain`. */
      total_source: ValueSource.optional(),
    }),
  ),
});
const NamedValues = z.object({
  type: z.literal("map_table"),
  header: z.string(),
  rows: z.array(
    z.object({
      ...{ name: z.string(), v: z.string(), raw: z.number(), highlight: z.boolean() },
      /** The evidence of the value, with `explain`. */
      source: ValueSource.optional(),
    }),
  ),
});
const Text = z.object({ type: z.literal("text"), text: z.string(), style: z.literal("small_print") });

export const Report = z.object({
  ...REPORT_HEAD,
  sheets: z.array(
    z.object({
      header: z.string(),
      entity_ids: z.array(z.int()),
      additional_field: z.string(),
      sections: z.array(z.union([Table, NamedValues, Text])),
    }),
  ),
});

function toSeconds(time: string) {
  return time.length === 5 ? `${time}:00` : time;
}
