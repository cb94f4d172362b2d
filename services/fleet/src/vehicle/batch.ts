import { z } from "zod";
import { ApiError, type Offence } from "#shared/api-error.ts";
import { clockOf } from "#shared/clock.ts";
import { offencesOf, readerOf } from "#shared/parameters.ts";
import type { Principal } from "#shared/principal.ts";
import type { FleetEnv } from "../env.ts";
import { type NamedTag, tagsNamed } from "../tag/names.ts";
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

export type Labelled = { id: number; label: string; blocked: boolean };
type Named = Omit<Labelled, "blocked">;
/** What the rows may name. */
type Known = { trackers: Labelled[]; garages: Named[]; tags: NamedTag[] };

/** Vehicles as create would take them, each with what is wrong with it. */
export function convertRows(rows: string[][], fields: ImportField[], { trackers, garages, tags }: Known) {
  const trackersBy = Map.groupBy(trackers, ({ label }) => label);
  const garagesBy = Map.groupBy(garages, ({ label }) => label);
  return rows.map((cells) => convertRow(cellsOf(cells, fields), trackersBy, garagesBy, tags));
}

/** The text to convert: of the sheet, where one is named. */
export async function textOf(
  { batch, file_id }: { batch?: string; file_id?: string },
  env: Pick<FleetEnv, "FILES">,
  { account_id }: Principal,
): Promise<string> {
  const text = file_id === undefined ? batch : await env.FILES.readSheet({ account_id, file_id });
  if (text === undefined) throw new ApiError(7);
  if (text === null) throw new ApiError(234);
  return text;
}

/** The rows of the text, as many as may be, each by its cells. */
export function rowsOf(batch: string, limit: number) {
  const rows = batch.split(/\r\n|\n|\r/).filter((row) => row.trim() !== "");
  const kept = rows.slice(0, limit).map((row) => row.split("\t").map((cell) => cell.trim()));
  return { rows: kept, limit_exceeded: rows.length > kept.length };
}

/** What the cells of one column say, each once. */
export function namesOf<Field extends string>(field: Field, rows: string[][], fields: Field[]): string[] {
  const column = fields.indexOf(field);
  if (column < 0) return [];
  return [...new Set(rows.map((cells) => cells[column] ?? "").filter((cell) => cell !== ""))];
}

/** Empty cells are absent; cells beyond the columns are passed over. */
export function cellsOf<Field extends string>(cells: string[], fields: Field[]): Cells<Field> {
  const named = fields.map((field, column) => [field, cells[column] ?? ""] as const);
  const kept = named.filter(([field, cell]) => field !== "undefined" && cell !== "");
  // `fromEntries` forgets that the keys are of the columns.
  return Object.fromEntries(kept) as Cells<Field>;
}
export type Cells<Field extends string> = Partial<Record<Field, string>>;

/** What create would take of the cells; undefined where it would not. */
export function checkedOf<Schema extends z.ZodType>(schema: Schema, cells: unknown, errors: Offence[]) {
  const given = readerOf(schema)(cells, "", false, { clock: NO_CLOCK, offences: errors });
  const checked = schema.safeParse(given);
  if (!checked.success) errors.push(...offencesOf(checked.error.issues, given));
  return checked.data;
}

/** Of a row with errors, the cells that fit their columns on their own. */
export function fittingOf(cells: Record<string, unknown>, shape: Record<string, z.ZodType>) {
  const members = Object.entries(cells).flatMap(([name, cell]) => {
    const schema = shape[name];
    if (!schema || cell === undefined) return [];
    const read = readerOf(schema)(cell, name, false, { clock: NO_CLOCK, offences: [] });
    return schema.safeParse(read).success ? [[name, read] as const] : [];
  });
  return Object.fromEntries(members);
}

export function trackerOf(label: string, byLabel: Map<string, Labelled[]>, errors: Offence[]): number | null {
  const found = byLabel.get(label) ?? [];
  const [tracker] = found;
  if (found.length === 1 && tracker && !tracker.blocked) return tracker.id;
  const error = found.length > 1 ? "is the label of several trackers" : "is not the label of a tracker in use";
  errors.push({ parameter: "tracker_label", error });
  return null;
}

/** Rows hold days, never moments: no zone is asked for. */
const NO_CLOCK = clockOf({}, "UTC", false);

function convertRow(
  { garage, tracker_label, tags, ...cells }: Cells<ImportField>,
  trackersBy: Map<string, Labelled[]>,
  garagesBy: Map<string, Named[]>,
  known: NamedTag[],
) {
  const errors: Offence[] = [];
  const checked = checkedOf(NewVehicle, cells, errors);
  const garage_id = garage === undefined ? null : garageOf(garage, garagesBy, errors);
  const tag_ids = tagsNamed(tags ?? "", known, errors);
  const tracker_id = tracker_label === undefined ? null : trackerOf(tracker_label, trackersBy, errors);
  const fitting = checked ?? fittingOf(cells, NewVehicle.shape);
  const item = { ...EMPTY, ...fitting, id: null, tracker_id, tracker_label, garage_id, tags: tag_ids };
  if (errors.length === 0) return item;
  return { ...item, errors: errors.map(({ parameter, error }) => ({ parameter: `vehicle.${parameter}`, error })) };
}

export function garageOf(name: string, byName: Map<string, Named[]>, errors: Offence[]): number | null {
  const [garage, ...more] = byName.get(name) ?? [];
  if (garage && more.length === 0) return garage.id;
  const error = garage ? "is the organization of several garages" : "is not the organization of a garage of yours";
  errors.push({ parameter: "garage_id", error });
  return null;
}

const EMPTY = {
  ...NewVehicle.parse({ label: "?" }),
  label: "",
  icon_id: null,
  avatar_file_name: null,
  status_id: null,
};
