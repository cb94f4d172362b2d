import type { Principal } from "../caller/principal.ts";
import type { RemovedTag } from "../database/tag-binding/table.ts";

/**
 * Search for things of one type with all of the tags and an id above `after`; `iso` chooses how moments are written.
 */
export type TaggedSearch<Type extends string> = { type: Type; tag_ids: number[]; after: number; iso: boolean };

/** Items by id; `after` is the cursor of the next page, absent on the last. */
export type TaggedPage = { items: { id: number }[]; after?: number };

/** A service whose things carry tags, as fleet, which owns the tags, uses it. */
export interface TagCarrier<Type extends string> {
  /** A page of things with all of the tags, as the type's `read` operation answers them. */
  taggedWith(principal: Principal, search: TaggedSearch<Type>): Promise<TaggedPage>;
  /** Removes the tags from all things. Idempotent. */
  deleteTagBindings(tags: RemovedTag[]): Promise<void>;
}
