import { tagBindingTable } from "#shared/database/tag-binding/table.ts";

/** What carries tags in this service; the tags themselves are fleet's. */
export const TAGGED = ["place", "zone"] as const;
export type Tagged = (typeof TAGGED)[number];

export const tagBinding = tagBindingTable(TAGGED);
