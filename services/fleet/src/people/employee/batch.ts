import { type Cells, checkedOf, fittingOf } from "#shared/batch/cells.ts";
import { convertedItem, withErrors } from "#shared/batch/item.ts";
import { placedAt, type RowPlace } from "#shared/batch/places.ts";
import { idsByName, type NamedTag, type TagIds, tagsNamed } from "#shared/batch/tags.ts";
import type { Offence } from "#shared/error/api-error.ts";
import { type Labelled, trackerOf } from "../../tracker/label.ts";
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

export const CheckedEmployee = convertedItem(Employee.shape, {});

/** What the rows name. */
type NamedThings = { trackers: Labelled[]; tags: NamedTag[] };
/** The cells of a row, its place completed. */
type Row = Omit<Cells<ImportField>, keyof RowPlace> & RowPlace;

/** Employees as create would take them, each with what is wrong with it. */
export function convertRows(rows: Row[], { trackers, tags }: NamedThings, default_radius: number) {
  const [byLabel, tagIds] = [Map.groupBy(trackers, ({ label }) => label), idsByName(tags)];
  return rows.map((row) => {
    const errors: Offence[] = [];
    const value = convertRow(row, byLabel, tagIds, default_radius, errors);
    return { success: errors.length === 0, value: withErrors("employee", value, errors) };
  });
}

function convertRow(
  { tracker_label, tags, address, lat, lng, radius, ...cells }: Row,
  byLabel: Map<string, Labelled[]>,
  tagIds: TagIds,
  default_radius: number,
  errors: Offence[],
) {
  const isNowhere = address === undefined && lat === undefined && lng === undefined;
  const place = isNowhere ? undefined : placedAt({ address, lat, lng }, "location", errors);
  const row = { ...cells, location: place && { ...place, radius: radius ?? default_radius } };
  const checked = checkedOf(NewEmployee, row, errors);
  const tag_ids = tagsNamed(tags ?? "", tagIds, errors);
  const tracker_id = tracker_label === undefined ? null : trackerOf(tracker_label, byLabel, errors);
  const fitting = checked ?? fittingOf(row, NewEmployee.shape);
  return { ...EMPTY, ...fitting, id: null, tracker_id, tags: tag_ids };
}

const EMPTY = { ...NewEmployee.parse({ first_name: "?" }), first_name: "", icon_id: null, avatar_file_name: null };
