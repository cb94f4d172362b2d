import { namesOfTags, type Tag } from "../tag/queries.ts";
import { type FieldTexts, toTexts } from "./custom-fields.tsx";
import type { Place } from "./queries.ts";

/** The members of a place that its form has as texts. */
export type PlaceMembers = {
  label: string;
  address: string;
  description: string;
  externalId: string;
  tags: string[];
  fields: FieldTexts;
};

export function membersOf(place: Place | undefined, tags: Tag[]): PlaceMembers {
  return {
    label: place?.label ?? "",
    address: place?.location.address ?? "",
    description: place?.description ?? "",
    externalId: place?.external_id ?? "",
    tags: namesOfTags(place?.tags, tags),
    fields: toTexts(place?.fields),
  };
}
