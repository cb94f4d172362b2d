import { tagBindingTable } from "#shared/database/tag-binding/table.ts";

/** Entities of this service that carry tags; routes and checkpoints count as tasks. */
export const TAGGED_ENTITIES = ["task", "task_schedule"] as const;
export type TaggedEntity = (typeof TAGGED_ENTITIES)[number];

export const tagBinding = tagBindingTable(TAGGED_ENTITIES);
