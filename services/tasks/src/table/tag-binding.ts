import { tagBindingTable } from "#shared/database/tag-binding/table.ts";

/** What carries tags in this service; routes and checkpoints do as tasks. */
export const TAGGED = ["task", "task_schedule"] as const;
export type Tagged = (typeof TAGGED)[number];

export const tagBinding = tagBindingTable(TAGGED);
