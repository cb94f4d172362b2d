import { tagBindingTable } from "#shared/database/tag-binding/table.ts";

/** What carries tags in this service; routes and checkpoints do as tasks. */
export const TAGGED_ENTITIES = ["task", "task_schedule"] as const;
export type TaggedEntity = (typeof TAGGED_ENTITIES)[number];

export const tagBinding = tagBindingTable(TAGGED_ENTITIES);
