import { z } from "zod";
import type { Offence } from "#shared/error/api-error.ts";
import { type Cells, cellsOf, checkedOf, fittingOf } from "../../sheet/cells.ts";
import { type Labelled, trackerOf } from "../../sheet/tracker-label.ts";
import { idsByName, type NamedTag, type TagIds, tagsNamed } from "../../tag/names.ts";
import { Employee, NewEmployee } from "./schema.ts";

/** The columns that a row may have; `undefined` is one to pass over. */
export const IMPORT_FIELDS = [
  "first_name",
  "middle_name",
  "last_name",
  "email",
  "phone",
  "driver_license_number",
  "driver_license_cats",
  "driver_license_issue_date",
  "driver_license_valid_till",
  "hardware_key",
  "address",
  "lat",
  "lng",
  "radius",
  "personnel_number",
  "ssn",
  "tracker_label",
  "tags",
  "undefined",
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** An employee as far as the row gives one: whatever does not fit stands among the errors. */
export const CheckedEmployee = z
  .object(Object.fromEntries(Object.keys(Employee.shape).map((name) => [name, z.unknown().optional()])))
  .extend({ errors: z.array(z.object({ parameter: z.string(), error: z.string() })).optional() });

/** What the rows name. */
type NamedThings = { trackers: Labelled[]; tags: NamedTag[] };

/** Employees as create would take them, each with what is wrong with it. */
export function convertRows(
  rows: string[][],
  fields: ImportField[],
  { trackers, tags }: NamedThings,
  default_radius: number,
) {
  const [byLabel, tagIds] = [Map.groupBy(trackers, ({ label }) => label), idsByName(tags)];
  return rows.map((cells) => {
    const { errors, ...value } = convertRow(cellsOf(cells, fields), byLabel, tagIds, default_radius);
    if (errors.length === 0) return { success: true, value };
    const named = errors.map(({ parameter, error }) => ({ parameter: `employee.${parameter}`, error }));
    return { success: false, value: { ...value, errors: named } };
  });
}

function convertRow(
  { tracker_label, tags, address, lat, lng, radius, ...cells }: Cells<ImportField>,
  byLabel: Map<string, Labelled[]>,
  tagIds: TagIds,
  default_radius: number,
) {
  const errors: Offence[] = [];
  const place = { address, lat, lng, radius: radius ?? default_radius };
  const row = { ...cells, location: locationOf(place, errors) };
  const checked = checkedOf(NewEmployee, row, errors);
  const tag_ids = tagsNamed(tags ?? "", tagIds, errors);
  const tracker_id = tracker_label === undefined ? null : trackerOf(tracker_label, byLabel, errors);
  const fitting = checked ?? fittingOf(row, NewEmployee.shape);
  return { ...EMPTY, ...fitting, id: null, tracker_id, tags: tag_ids, errors };
}

type Place = { address?: string; lat?: string; lng?: string; radius: string | number };

/** There is nobody to ask where an address is: without both coordinates it stays nowhere. */
function locationOf(place: Place, errors: Offence[]) {
  const { address, lat, lng } = place;
  if (address === undefined && lat === undefined && lng === undefined) return undefined;
  if (lat !== undefined && lng !== undefined) return place;
  errors.push({ parameter: "location", error: "must have lat and lng" });
  return { ...place, lat: 0, lng: 0 };
}

const EMPTY = { ...NewEmployee.parse({ first_name: "?" }), first_name: "", icon_id: null, avatar_file_name: null };
