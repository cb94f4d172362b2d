import * as z from "zod";
import { type Cells, readCells } from "#shared/batch/cells.ts";
import { type Checker, checkerOf } from "#shared/batch/checker.ts";
import { convertedItem, withErrors } from "#shared/batch/item.ts";
import { idsByName, type NamedTag, splitTags, type TagIds, tagIdsOfCell } from "#shared/batch/tags.ts";
import type { Offence } from "#shared/error/api-error.ts";
import { findTrackerByLabel, type LabelledTracker } from "../tracker/find-by-label.ts";
import { NewVehicle, Vehicle } from "./schema.ts";

/** The columns that a row may have; a column `undefined` is skipped. */
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

export const CheckedVehicle = convertedItem(Vehicle.shape, { tag_names: z.array(z.string()).optional() });

type NamedGarage = { id: number; label: string };
/** The trackers, garages and tags that the rows name. */
type RowReferences = { trackers: LabelledTracker[]; garages: NamedGarage[]; tags: NamedTag[] };

/** Converts rows to vehicles that `/vehicle/create` would accept, each with the errors found in its row. */
export function convertRows(rows: Cells<ImportField>[], { trackers, garages, tags }: RowReferences) {
  const trackersBy = Map.groupBy(trackers, ({ label }) => label);
  const garagesBy = Map.groupBy(garages, ({ label }) => label);
  const tagIds = idsByName(tags);
  const check = checkerOf(NewVehicle, { ours: DERIVED_MEMBERS });
  return rows.map((cells) => convertRow(cells, trackersBy, garagesBy, tagIds, check));
}

function convertRow(
  cells: Cells<ImportField>,
  trackersBy: Map<string, LabelledTracker[]>,
  garagesBy: Map<string, NamedGarage[]>,
  tagIds: TagIds,
  check: Checker<typeof NewVehicle, typeof DERIVED_MEMBERS>,
) {
  const { garage, tracker_label, tags } = cells;
  const errors: Offence[] = [];
  const item: Item = check(cells, errors) ?? {
    ...EMPTY_VEHICLE,
    ...readCells(cells, NewVehicle.shape),
    ...DERIVED_MEMBERS,
  };
  if (garage !== undefined) {
    item.garage_id = garageOf(garage, garagesBy, errors);
    if (item.garage_id === null) item.garage_organization_name = garage;
  }
  const errorCount = errors.length;
  item.tags = tags === undefined ? [] : tagIdsOfCell(tags, tagIds, errors);
  if (tags !== undefined && errors.length > errorCount) item.tag_names = splitTags(tags, tagIds).unknown;
  if (tracker_label !== undefined) {
    item.tracker_id = findTrackerByLabel(tracker_label, trackersBy, errors);
    item.tracker_label = tracker_label;
  }
  return withErrors("vehicle", item, errors);
}

export function garageOf(name: string, byName: Map<string, NamedGarage[]>, errors: Offence[]): number | null {
  const [garage, ...more] = byName.get(name) ?? [];
  if (garage && more.length === 0) return garage.id;
  const error = garage ? "is the organization of several garages" : "is not the organization of a garage of yours";
  errors.push({ parameter: "garage_id", error });
  return null;
}

const EMPTY_VEHICLE = { ...NewVehicle.parse({ label: "?" }), label: "" };
/** Members that are not taken from a cell as they are. */
const DERIVED_MEMBERS = {
  ...{ id: null, icon_id: null, avatar_file_name: null, status_id: null },
  tracker_id: null as number | null,
  garage_id: null as number | null,
  tags: [] as number[],
};
/** Names of a tracker, garage and tags that are unknown come back as they were sent. */
type UnknownNames = { tracker_label?: string; garage_organization_name?: string; tag_names?: string[] };
type Item = NewVehicle & typeof DERIVED_MEMBERS & UnknownNames;
