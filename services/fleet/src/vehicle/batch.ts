import { z } from "zod";
import type { Offence } from "#shared/api-error.ts";
import { clockOf } from "#shared/clock.ts";
import { offencesOf, readerOf } from "#shared/parameters.ts";
import { NewVehicle, Vehicle } from "./schema.ts";

/** The columns that a row may have; `undefined` is one to pass over. */
export const IMPORT_FIELDS = [
  "label",
  "model",
  "max_speed",
  "type",
  "subtype",
  "garage",
  "trailer",
  "manufacture_year",
  "color",
  "additional_info",
  "trailer_reg_number",
  "reg_number",
  "chassis_number",
  "frame_number",
  "vin",
  "passengers",
  "payload_weight",
  "payload_height",
  "payload_width",
  "payload_length",
  "gross_weight",
  "fuel_grade",
  "fuel_tank_volume",
  "fuel_cost",
  "norm_avg_fuel_consumption",
  "fuel_type",
  "tyre_size",
  "tyres_number",
  "wheel_arrangement",
  "free_insurance_policy_number",
  "liability_insurance_policy_number",
  "free_insurance_valid_till",
  "liability_insurance_valid_till",
  "tracker_label",
  "tags",
  "undefined",
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** A vehicle as far as the row gives one: whatever does not fit stands among the errors. */
export const CheckedVehicle = z
  .object(Object.fromEntries(Object.keys(Vehicle.shape).map((name) => [name, z.unknown()])))
  .extend({ errors: z.array(z.object({ parameter: z.string(), error: z.string() })).optional() });

type Labelled = { id: number; label: string; blocked: boolean };

/** Vehicles as create would take them, each with what is wrong with it. */
export function convertRows(rows: string[][], fields: ImportField[], trackers: Labelled[]) {
  const byLabel = Map.groupBy(trackers, ({ label }) => label);
  return rows.map((cells) => convertRow(cellsOf(cells, fields), byLabel));
}

/** What the cells of one column say, each once. */
export function namesOf(field: ImportField, rows: string[][], fields: ImportField[]): string[] {
  const column = fields.indexOf(field);
  if (column < 0) return [];
  return [...new Set(rows.map((cells) => cells[column] ?? "").filter((cell) => cell !== ""))];
}

type Cells = Partial<Record<ImportField, string>>;

function convertRow({ garage, tracker_label, tags, ...cells }: Cells, byLabel: Map<string, Labelled[]>) {
  const errors: Offence[] = [];
  const given = readerOf(NewVehicle)(cells, "", false, { clock: NO_CLOCK, offences: errors });
  const checked = NewVehicle.safeParse(given);
  if (!checked.success) errors.push(...offencesOf(checked.error.issues, given));
  if (garage) errors.push({ parameter: "garage_id", error: "is not a garage of yours" });
  if (tags) errors.push({ parameter: "tags", error: "names a tag that does not exist" });
  const tracker_id = tracker_label === undefined ? null : trackerOf(tracker_label, byLabel, errors);
  const item = { ...EMPTY, ...(checked.success ? checked.data : textOf(cells)), id: null, tracker_id, tracker_label };
  if (errors.length === 0) return item;
  return { ...item, errors: errors.map(({ parameter, error }) => ({ parameter: `vehicle.${parameter}`, error })) };
}

function trackerOf(label: string, byLabel: Map<string, Labelled[]>, errors: Offence[]): number | null {
  const found = byLabel.get(label) ?? [];
  const [tracker] = found;
  if (found.length === 1 && tracker && !tracker.blocked) return tracker.id;
  const error = found.length > 1 ? "is the label of several trackers" : "is not the label of a tracker in use";
  errors.push({ parameter: "tracker_label", error });
  return null;
}

/** Of a row with errors, the cells that fit their columns on their own. */
function textOf(cells: Cells) {
  const members = Object.entries(cells).map(([name, cell]) => {
    const schema = NewVehicle.shape[name as keyof typeof NewVehicle.shape];
    const read = readerOf(schema)(cell, name, false, { clock: NO_CLOCK, offences: [] });
    return [name, schema.safeParse(read).success ? read : undefined];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Empty cells are absent; cells beyond the columns are passed over. */
function cellsOf(cells: string[], fields: ImportField[]): Cells {
  const named = fields.map((field, column) => [field, cells[column] ?? ""] as const);
  return Object.fromEntries(named.filter(([field, cell]) => field !== "undefined" && cell !== ""));
}

/** Rows hold days, never moments: no zone is asked for. */
const NO_CLOCK = clockOf({}, "UTC", false);
const EMPTY = {
  ...NewVehicle.parse({ label: "?" }),
  label: "",
  icon_id: null,
  avatar_file_name: null,
  status_id: null,
};
