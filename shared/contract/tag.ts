import type { Principal } from "../caller/principal.ts";
import type { RemovedTag } from "../database/tag-binding/table.ts";

/** Of a search: the things of one type with ids above `after`. Moments are written as the caller wants them. */
export type TaggedSearch<Type extends string> = { type: Type; tag_ids: number[]; after: number; iso: boolean };

/** By id; `after` for the page behind it, where there is one. */
export type TaggedPage = { items: { id: number }[]; after?: number };

/** What a Worker whose things carry tags, which live elsewhere, lets the tags' owner ask of it. */
export interface TagCarrier<Type extends string> {
  /** A page of what carries all of the tags, as the principal's `read` calls answer it. */
  taggedWith(principal: Principal, search: TaggedSearch<Type>): Promise<TaggedPage>;
  /** The tags are removed: nothing carries them from here on. Told twice, it changes nothing. */
  forgetTags(tags: RemovedTag[]): Promise<void>;
}
