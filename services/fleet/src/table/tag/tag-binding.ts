import { tagBindingTable } from "#shared/database/tag-binding/table.ts";

/** What carries tags in this service. */
export const TAGGED_TYPES = ["employee", "vehicle", "tracker"] as const;

export const tagBinding = tagBindingTable(TAGGED_TYPES);
