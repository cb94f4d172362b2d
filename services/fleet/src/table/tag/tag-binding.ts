import { tagBindingTable } from "#shared/database/tag-binding/table.ts";

/** The types of things in this service that carry tags. */
export const TAGGED_TYPES = ["employee", "vehicle", "tracker"] as const;

export const tagBinding = tagBindingTable(TAGGED_TYPES);
