import { type Cells, validCells } from "#shared/batch/cells.ts";
import { type Checker, checkerOf } from "#shared/batch/checker.ts";
import { convertedItem, withErrors } from "#shared/batch/item.ts";
import { type RowLocation, requirePosition } from "#shared/batch/locations.ts";
import { idsByName, type NamedTag, type TagIds, tagIdsOfCell } from "#shared/batch/tags.ts";
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
type Row = Omit<Cells<ImportField>, keyof RowLocation> & RowLocation;

/** Employees as create would take them, each with what is wrong with it. */
export function convertRows(rows: Row[], { trackers, tags }: NamedThings, default_radius: number) {
  const [byLabel, tagIds] = [Map.groupBy(trackers, ({ label }) => label), idsByName(tags)];
  const check = checkerOf(NewEmployee, { ours: OURS });
  return rows.map((row) => {
    const errors: Offence[] = [];
    const value = convertRow(row, { byLabel, tagIds, default_radius, check }, errors);
    return { success: errors.length === 0, value: withErrors("employee", value, errors) };
  });
}

type Reading = {
  byLabel: Map<string, Labelled[]>;
  tagIds: TagIds;
  default_radius: number;
  check: Checker<typeof NewEmployee, typeof OURS>;
};

function convertRow(cells: Row, { byLabel, tagIds, default_radius, check }: Reading, errors: Offence[]): Item {
  const { tracker_label, tags, address, lat, lng, radius } = cells;
  const isNowhere = address === undefined && lat === undefined && lng === undefined;
  const place = { address, lat, lng, radius: radius ?? default_radius };
  // What else the row has, the schema passes over.
  const made = isNowhere ? undefined : { location: requirePosition(place, "location", errors) };
  const item: Item = check(cells, errors, made) ?? {
    ...EMPTY,
    ...validCells({ ...cells, ...made }, NewEmployee.shape),
    ...OURS,
  };
  item.tags = tags === undefined ? [] : tagIdsOfCell(tags, tagIds, errors);
  if (tracker_label !== undefined) item.tracker_id = trackerOf(tracker_label, byLabel, errors);
  return item;
}

/** Members that no cell gives as they are. */
const OURS = {
  id: null,
  icon_id: null,
  avatar_file_name: null,
  tracker_id: null as number | null,
  tags: [] as number[],
};
type Item = NewEmployee & typeof OURS;
const EMPTY = { ...NewEmployee.parse({ first_name: "?" }), first_name: "" };
