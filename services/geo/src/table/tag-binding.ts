import { tagBindingTable } from "#shared/database/tag-binding/table.ts";

/** Things of this service that can have tags. The tags themselves belong to fleet. */
export const TAGGED = ["place", "zone"] as const;
export type Tagged = (typeof TAGGED)[number];

export const tagBinding = tagBindingTable(TAGGED);
