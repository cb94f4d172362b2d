import * as z from "zod";
import { type Cells, readCells, SKIPPED } from "#shared/batch/cells.ts";
import { type Checker, checkerOf } from "#shared/batch/checker.ts";
import { convertedItem, withErrors } from "#shared/batch/item.ts";
import { type RowLocation, requirePosition } from "#shared/batch/locations.ts";
import { idsByName, type NamedTag, splitTags, type TagIds } from "#shared/batch/tags.ts";
import type { Offence } from "#shared/error/api-error.ts";
import { NewZone, Zone } from "../schema.ts";

/** Columns of a row. */
export const FIELDS = ["label", "address", "lat", "lng", "radius", "tags", SKIPPED] as const;
type Field = (typeof FIELDS)[number];
/** The cells of a row, with its position and address completed. */
type Row = Omit<Cells<Field>, keyof RowLocation> & RowLocation;

/** A converted zone. `tag_names` are names in the row that no tag has. */
export const CheckedZone = convertedItem(Zone.omit({ bounds: true, points: true, holes: true }).shape, {
  tag_names: z.array(z.string()).optional(),
});

/** Converts rows to circles in the form of `/zone/create`, each with its errors. */
export function convertRows(rows: Row[], tags: NamedTag[], default_radius: number) {
  const [tagIds, check] = [idsByName(tags), checkerOf(NewZone, { ours: READ_ONLY_MEMBERS })];
  return rows.map((row) => convertRow(row, tagIds, default_radius, check));
}

function convertRow(
  { label, address, lat, lng, radius, tags }: Row,
  tagIds: TagIds,
  default_radius: number,
  check: Checker<typeof NewZone, typeof READ_ONLY_MEMBERS>,
) {
  const errors: Offence[] = [];
  const center = requirePosition({ lat, lng }, "center", errors);
  const circle = { type: "circle", label, address, center, radius: radius ?? default_radius };
  const { ids, unknown } = tags === undefined ? NO_TAGS : splitTags(tags, tagIds);
  const row = ids.length > 0 ? { ...circle, tags: ids } : circle;
  const item: Item = check(row, errors) ?? { ...EMPTY, ...readCells(row, NewZone.shape), ...READ_ONLY_MEMBERS };
  if (unknown.length > 0) item.tag_names = unknown;
  return withErrors("zone", item, errors);
}

const NULL_ISLAND = { lat: 0, lng: 0 };
const EMPTY = { ...NewZone.parse({ type: "circle", label: "?", center: NULL_ISLAND }), label: "" };
/** Members that a circle from a row never has. */
const READ_ONLY_MEMBERS = { id: null, points: undefined, holes: undefined };
type Item = Omit<NewZone, keyof typeof READ_ONLY_MEMBERS> & typeof READ_ONLY_MEMBERS & { tag_names?: string[] };
const NO_TAGS = { ids: [], unknown: [] };
