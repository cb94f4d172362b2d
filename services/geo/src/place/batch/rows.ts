import * as z from "zod";
import { type Cells, readCells, SKIPPED } from "#shared/batch/cells.ts";
import { type Checker, checkerOf } from "#shared/batch/checker.ts";
import { convertedItem, withErrors } from "#shared/batch/item.ts";
import { type RowLocation, requirePosition } from "#shared/batch/locations.ts";
import { idsByName, splitTags, type TagIds } from "#shared/batch/tags.ts";
import type { RowLinks } from "#shared/contract/fleet.ts";
import type { Offence } from "#shared/error/api-error.ts";
import type { CustomFieldRow } from "../../table/place/custom-field.ts";
import { readValue } from "../fields.ts";
import { NewPlace, Place } from "../schema.ts";

/** Columns of a row, besides custom fields, whose columns are named by their ids. */
const FIELDS = ["label", "address", "lat", "lng", "radius", "description", "tags", "external_id", SKIPPED] as const;
type Field = (typeof FIELDS)[number] | `${number}`;
/** The cells of a row, with its position and address completed. */
export type Row = Omit<Cells<Field>, keyof RowLocation> & RowLocation;

export function isField(name: string): name is Field {
  return FIELDS.some((field) => field === name) || /^\d{1,15}$/.test(name);
}

/** A converted place. `tag_names` are names in the row that no tag has. */
export const CheckedPlace = convertedItem(Place.shape, { tag_names: z.array(z.string()).optional() });

/** Tags and employees that the rows name, and the account's custom fields. */
type RowReferences = RowLinks & { customFields: CustomFieldRow[] };
type RowContext = {
  tagIds: TagIds;
  employees: Set<number>;
  customFields: CustomFieldRow[];
  check: Checker<typeof NewPlace, typeof READ_ONLY_MEMBERS>;
};

/** Converts rows to places in the form of `/place/create`, each with its errors. */
export function convertRows(rows: Row[], { tags, employees, customFields }: RowReferences, default_radius: number) {
  const context = {
    tagIds: idsByName(tags),
    employees: new Set(employees),
    customFields,
    check: checkerOf(NewPlace, { ours: READ_ONLY_MEMBERS }),
  };
  return rows.map((row) => convertRow(row, context, default_radius));
}

/** Ids of employees in cells of custom fields. */
export function findEmployees(rows: Cells<Field>[], customFields: CustomFieldRow[]): number[] {
  const columns = customFields.filter(({ type }) => type === "employee").map(({ id }) => `${id}` as const);
  const values = rows.flatMap((cells) => columns.flatMap((column) => cells[column] ?? []));
  const ids = values.map((value) => readValue("employee", value)).filter((id) => typeof id === "number");
  return [...new Set(ids)];
}

function convertRow(cells: Row, context: RowContext, default_radius: number) {
  const errors: Offence[] = [];
  const { ids, unknown } = cells.tags === undefined ? NO_TAGS : splitTags(cells.tags, context.tagIds);
  const members = toMembers(cells, default_radius, errors);
  const row = ids.length > 0 ? { ...members, tags: ids } : members;
  const item: Item = context.check(row, errors) ?? {
    ...EMPTY,
    ...readCells(row, NewPlace.shape),
    ...READ_ONLY_MEMBERS,
  };
  item.fields = toFields(cells, context, errors);
  if (unknown.length > 0) item.tag_names = unknown;
  return withErrors("place", item, errors);
}

/** The members of `/place/create` from a row. Only the presence of coordinates is checked. */
export function toMembers(cells: Row, default_radius: number, errors: Offence[]) {
  const { label, description, external_id, address, lat, lng, radius = default_radius } = cells;
  const location = requirePosition({ address: address ?? "", lat, lng, radius }, "location", errors);
  return { label, description, external_id, location };
}

function toFields(cells: Row, { customFields, employees }: RowContext, errors: Offence[]) {
  if (customFields.length === 0) return {};
  const members = customFields.flatMap(({ id, type, required }) => {
    const cell = cells[`${id}`];
    if (cell === undefined) {
      if (required) errors.push({ parameter: `fields.${id}`, error: "is required" });
      return [];
    }
    const value = readValue(type, cell);
    if (value !== undefined && (type !== "employee" || employees.has(Number(value)))) return [[id, { type, value }]];
    const error = value === undefined ? `is no ${type} of a custom field` : "names an employee that does not exist";
    errors.push({ parameter: `fields.${id}.value`, error });
    return [[id, { type, value: cell }]];
  });
  return Object.fromEntries(members);
}

const NULL_ISLAND = { lat: 0, lng: 0 };
const { fields: _, ...EMPTY } = { ...NewPlace.parse({ label: "?", location: NULL_ISLAND }), label: "" };
/** Members that are not copied from cells. */
const READ_ONLY_MEMBERS = { id: null, avatar_file_name: null, fields: {} as Record<string, unknown> };
type Item = Omit<NewPlace, "fields"> & typeof READ_ONLY_MEMBERS & { tag_names?: string[] };
const NO_TAGS = { ids: [], unknown: [] };
