import * as z from "zod";
import { type Cells, readCells } from "#shared/batch/cells.ts";
import { type Checker, checkerOf } from "#shared/batch/checker.ts";
import { convertedItem, withErrors } from "#shared/batch/item.ts";
import { type RowLocation, requirePosition } from "#shared/batch/locations.ts";
import { idsByName, type NamedTag, splitTags, type TagIds, tagIdsOfCell } from "#shared/batch/tags.ts";
import type { Offence } from "#shared/error/api-error.ts";
import { findTrackerByLabel, type LabelledTracker } from "../../tracker/find-by-label.ts";
import { Employee, NewEmployee } from "./schema.ts";

/** The columns that a row may have; a column `undefined` is skipped. */
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

export const CheckedEmployee = convertedItem(Employee.shape, {
  tracker_label: z.string().optional(),
  tag_names: z.array(z.string()).optional(),
});

/** The trackers and tags that the rows name. */
type RowReferences = { trackers: LabelledTracker[]; tags: NamedTag[] };
/** The cells of a row, with address and position completed by each other. */
type Row = Omit<Cells<ImportField>, keyof RowLocation> & RowLocation;

/** Converts rows to employees that `/employee/create` would accept, each with the errors found in its row. */
export function convertRows(rows: Row[], { trackers, tags }: RowReferences, default_radius: number) {
  const [byLabel, tagIds] = [Map.groupBy(trackers, ({ label }) => label), idsByName(tags)];
  const check = checkerOf(NewEmployee, { ours: DERIVED_MEMBERS });
  return rows.map((row) => {
    const errors: Offence[] = [];
    const value = convertRow(row, { byLabel, tagIds, default_radius, check }, errors);
    return { success: errors.length === 0, value: withErrors("employee", value, errors) };
  });
}

type ConversionContext = {
  byLabel: Map<string, LabelledTracker[]>;
  tagIds: TagIds;
  default_radius: number;
  check: Checker<typeof NewEmployee, typeof DERIVED_MEMBERS>;
};

function convertRow(
  cells: Row,
  { byLabel, tagIds, default_radius, check }: ConversionContext,
  errors: Offence[],
): Item {
  const { tracker_label, tags, address, lat, lng, radius } = cells;
  const hasNoLocation = address === undefined && lat === undefined && lng === undefined;
  const cellLocation = { address: address ?? "", lat, lng, radius: radius ?? default_radius };
  // The schema ignores cells that are no members of an employee.
  const computed = hasNoLocation ? undefined : { location: requirePosition(cellLocation, "location", errors) };
  const item: Item = check(cells, errors, computed) ?? {
    ...EMPTY_EMPLOYEE,
    ...readCells({ ...cells, ...computed }, NewEmployee.shape),
    ...DERIVED_MEMBERS,
  };
  const errorCount = errors.length;
  item.tags = tags === undefined ? [] : tagIdsOfCell(tags, tagIds, errors);
  if (tags !== undefined && errors.length > errorCount) item.tag_names = splitTags(tags, tagIds).unknown;
  if (tracker_label !== undefined) {
    item.tracker_id = findTrackerByLabel(tracker_label, byLabel, errors);
    if (item.tracker_id === null) item.tracker_label = tracker_label;
  }
  return item;
}

/** Members that are not taken from a cell as they are. */
const DERIVED_MEMBERS = {
  id: null,
  icon_id: null,
  avatar_file_name: null,
  tracker_id: null as number | null,
  tags: [] as number[],
};
/** Names of a tracker and tags that are unknown come back as they were sent. */
type UnknownNames = { tracker_label?: string; tag_names?: string[] };
type Item = NewEmployee & typeof DERIVED_MEMBERS & UnknownNames;
const EMPTY_EMPLOYEE = { ...NewEmployee.parse({ first_name: "?" }), first_name: "" };
