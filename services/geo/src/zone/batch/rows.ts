import { z } from "zod";
import { type Cells, checkedOf, fittingOf, SKIPPED } from "#shared/batch/cells.ts";
import { convertedItem, withErrors } from "#shared/batch/item.ts";
import { placedAt, type RowPlace } from "#shared/batch/places.ts";
import { idsByName, type NamedTag, splitTags, type TagIds } from "#shared/batch/tags.ts";
import type { Offence } from "#shared/error/api-error.ts";
import { NewZone, Zone } from "../schema.ts";

/** The columns that a row may have. */
export const FIELDS = ["label", "address", "lat", "lng", "radius", "tags", SKIPPED] as const;
type Field = (typeof FIELDS)[number];
/** The cells of a row, its place completed. */
type Row = Omit<Cells<Field>, keyof RowPlace> & RowPlace;

/** `tag_names` are those of the row that no tag has. */
export const CheckedZone = convertedItem(Zone.omit({ bounds: true, points: true, holes: true }).shape, {
  tag_names: z.array(z.string()).optional(),
});

/** Circles as create would take them, each with what is wrong with it. */
export function convertRows(rows: Row[], tags: NamedTag[], default_radius: number) {
  const tagIds = idsByName(tags);
  return rows.map((row) => convertRow(row, tagIds, default_radius));
}

function convertRow({ label, address, lat, lng, radius, tags = "" }: Row, tagIds: TagIds, default_radius: number) {
  const errors: Offence[] = [];
  const named = splitTags(tags, tagIds);
  const center = placedAt({ lat, lng }, "center", errors);
  const row = { type: "circle", label, address, center, radius: radius ?? default_radius, tags: named.ids };
  const { points, holes, ...zone } = {
    ...EMPTY,
    ...(checkedOf(NewZone, row, errors) ?? fittingOf(row, NewZone.shape)),
  };
  const unknown = named.unknown.length > 0 && { tag_names: named.unknown };
  return withErrors("zone", { id: null, ...zone, ...unknown }, errors);
}

const NOWHERE = { lat: 0, lng: 0 };
const EMPTY = { ...NewZone.parse({ type: "circle", label: "?", center: NOWHERE }), label: "" };
