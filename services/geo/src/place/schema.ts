import * as z from "zod";
import { text } from "#shared/operation/fields.ts";
import { toPartial } from "#shared/operation/partial.ts";
import { Position } from "../point/schema.ts";
import { FIELD_TYPES } from "../table/place/custom-field.ts";
import type { PlaceRow } from "../table/place/place.ts";

const Location = Position.extend({ address: text(255).default(""), radius: z.int().min(1).max(300_000).default(100) });

/** Values by the ids of custom fields; null and empty values mean none. `toStoredFields` checks the types. */
const FieldValues = z.record(
  z.string().regex(/^\d{1,15}$/, { error: "must be the id of a field" }),
  z.object({ type: z.enum(FIELD_TYPES), value: z.union([z.string(), z.number()]).nullable().default(null) }).nullable(),
);
export type FieldValues = z.output<typeof FieldValues>;

// Not strict: callers send back what `read` gave them, read-only members included.
export const NewPlace = z.object({
  label: text(255).min(1),
  description: text(5000).default(""),
  location: Location,
  tags: z.array(z.int()).max(200).default([]),
  external_id: text(32).nullable().default(null),
  fields: FieldValues.optional(),
});
export type NewPlace = z.output<typeof NewPlace>;

/** Changes of a place: members that are left out keep their values, also within the location and the custom fields. */
export const ChangedPlace = toPartial(NewPlace).extend({ id: z.int(), location: toPartial(Location).optional() });
export type ChangedPlace = z.output<typeof ChangedPlace>;

export const Place = z.object({
  id: z.int(),
  icon_id: z.int().optional(),
  avatar_file_name: z.string().nullable(),
  location: Location,
  fields: z.record(z.string(), z.object({ type: z.enum(FIELD_TYPES), value: z.union([z.string(), z.number()]) })),
  label: z.string(),
  description: z.string(),
  tags: z.array(z.int()).optional(),
  external_id: z.string().optional(),
});
export type Place = z.output<typeof Place>;

export type PlaceWithTags = Pick<
  PlaceRow,
  | "id"
  | "icon_id"
  | "avatar_file_name"
  | "lat"
  | "lng"
  | "address"
  | "radius"
  | "fields"
  | "label"
  | "description"
  | "external_id"
> & { tags: number[] };

/** A place as answered: `tags` is left out if there are none. */
export function toPlace(row: PlaceWithTags): Place {
  const { id, icon_id, avatar_file_name, lat, lng, address, radius, label, description, tags, external_id } = row;
  const fields = Object.entries(row.fields).map(([key, { type, value }]) => [key, { type, value }]);
  return {
    id,
    ...(icon_id !== null && { icon_id }),
    avatar_file_name,
    location: { lat, lng, address, radius },
    fields: Object.fromEntries(fields),
    label,
    description,
    ...(tags.length > 0 && { tags }),
    ...(external_id !== null && { external_id }),
  };
}
