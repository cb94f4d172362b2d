import * as z from "zod";
import { type Cells, readCells } from "#shared/batch/cells.ts";
import { type Checker, checkerOf } from "#shared/batch/checker.ts";
import { convertedItem, withErrors } from "#shared/batch/item.ts";
import { type RowLocation, requirePosition } from "#shared/batch/locations.ts";
import type { Performers } from "#shared/contract/fleet.ts";
import type { Offence } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { type Clock, readLocal } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { findPeriodOffence, NewTask, Task } from "../schema.ts";

const FIELDS = [
  "label",
  "from",
  "to",
  "address",
  "lat",
  "lng",
  "radius",
  "description",
  "external_id",
  "performer",
  "max_delay",
  "min_stay_duration",
  "min_arrival_duration",
] as const;
export type Field = (typeof FIELDS)[number] | "undefined";
/** The cells of a row, its location completed by the geocoder. */
export type Row = Omit<Cells<Field>, keyof RowLocation> & RowLocation;

/** A task has no custom fields: columns with other names are ignored. */
export function toField(name: string): Field {
  return FIELDS.find((field) => field === name) ?? "undefined";
}

/** Members of a task that a row can set. */
const RowMembers = Task.pick({
  id: true,
  type: true,
  label: true,
  description: true,
  location: true,
  external_id: true,
  tracker_id: true,
  tags: true,
  max_delay: true,
  min_stay_duration: true,
  min_arrival_duration: true,
});
export const CheckedTask = convertedItem(RowMembers.shape, {
  from: dateTime().nullable(),
  to: dateTime().nullable(),
  /** A name that is refused. */
  performer: z.string().optional(),
});

/** Values for members that a row leaves out; the duration is in minutes. */
export type Defaults = { radius: number; duration: number; max_delay: number; min_stay_duration: number };
type RowContext = {
  defaults: Defaults;
  clock: Clock;
  now: number;
  performers: Map<string, number[]>;
  check: RowChecker;
};
type RowChecker = Checker<ReturnType<typeof rowTaskSchema>, typeof FIXED_MEMBERS>;

/** Converts rows to tasks as `task/create` accepts them, with their errors and the tracker that the row names. */
export function convertRows(rows: Row[], defaults: Defaults, { named }: Performers, clock: Clock) {
  const performers = new Map(named.map(({ name, tracker_ids }) => [name, tracker_ids]));
  const read = toSheetClock(clock);
  const check = checkerOf(rowTaskSchema(defaults), { clock: read, ours: FIXED_MEMBERS });
  const context = { defaults, clock: read, now: clock.now(), performers, check };
  return rows.map((row) => convertRow(row, context));
}
export type ConvertedTask = ReturnType<typeof convertRow>;

function convertRow(cells: Row, { defaults, clock, now, performers, check }: RowContext) {
  const errors: Offence[] = [];
  const { performer, address, lat, lng, radius = defaults.radius } = cells;
  const { max_delay, min_stay_duration } = defaults;
  // The schema ignores all other members of the row.
  const derived = { location: requirePosition({ address: address ?? "", lat, lng, radius }, "location", errors) };
  const item: Item = check(cells, errors, derived) ?? {
    ...{ ...EMPTY, max_delay, min_stay_duration },
    ...readCells({ ...cells, ...derived }, RowTask.shape, clock),
    ...FIXED_MEMBERS,
  };
  item.from ??= null;
  item.to ??= null;
  // A refused time is a text: it comes back as it was sent.
  const { from } = item;
  if (typeof from === "number" && cells.to === undefined) item.to = from + defaults.duration * MINUTE_MS;
  const { to } = item;
  const offence = typeof from === "number" && typeof to === "number" && findPeriodOffence({ from, to }, now);
  if (offence) errors.push(offence);
  if (performer !== undefined) {
    item.tracker_id = findPerformer(performers.get(performer), errors);
    if (item.tracker_id === null) item.performer = performer;
  }
  return withErrors("task", item, errors);
}

function findPerformer(tracker_ids: number[] = [], errors: Offence[]): number | null {
  const [tracker_id, another] = tracker_ids;
  if (tracker_id !== undefined && another === undefined) return tracker_id;
  const error = another ? "names several trackers" : "names no tracker or employee that can be given tasks";
  errors.push({ parameter: "performer", error });
  return null;
}

/** Sheets contain local times without an offset, in any format of the caller, and leave out the time of midnight. */
function toSheetClock(clock: Clock): Clock {
  return { ...clock, read: (text) => readLocal(completeTime(text), clock.zone) ?? clock.read(text) };
}

function completeTime(text: string) {
  const { day, minute = "00:00", second = ":00" } = SHEET_TIME.exec(text)?.groups ?? {};
  return day ? `${day} ${minute}${second}` : text;
}

const SHEET_TIME = /^(?<day>\d{4}-\d\d-\d\d)(?:[ T](?<minute>\d\d:\d\d)(?<second>:\d\d)?)?$/;
/** Without `to`, the end follows from the default duration. The omitted members cannot be set by a row. */
const RowTask = NewTask.omit({
  form_template_id: true,
  tracker_id: true,
  origin: true,
  import_id: true,
}).extend({ to: dateTime().optional() });
function rowTaskSchema({ max_delay, min_stay_duration }: Defaults) {
  const { shape } = RowTask;
  return RowTask.extend({
    description: shape.description.default(""),
    max_delay: shape.max_delay.default(max_delay),
    min_stay_duration: shape.min_stay_duration.default(min_stay_duration),
  });
}
const NOWHERE = { lat: 0, lng: 0, radius: 1 };
const EMPTY = {
  ...RowTask.partial({ from: true }).parse({ label: "?", description: "", location: NOWHERE }),
  label: "",
};
/** Members that cells never set directly. */
const FIXED_MEMBERS = { id: null, type: "task" as const, tracker_id: null as number | null };
type Item = Omit<z.output<typeof RowTask>, "type" | "from" | "to"> &
  typeof FIXED_MEMBERS & { from?: number | null; to?: number | null; performer?: string };
