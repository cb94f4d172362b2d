import { eq, type SQL, sql } from "drizzle-orm";
import { among, type Database } from "../database.ts";
import type { Principal } from "../principal.ts";
import type { Binding } from "./queries.ts";
import type { RemovedTagTable, TagBindingTable } from "./table.ts";

/** Of a search: the things of one type with ids above `after`. Moments are written as the caller wants them. */
export type WantedTagged<Type extends string> = { type: Type; tag_ids: number[]; after: number; iso: boolean };

/** By id; `after` for the page behind it, where there is one. */
export type TaggedPage = { items: { id: number }[]; after?: number };

export type RemovedTag = { account_id: number; tag_id: number };

/** What a Worker whose things carry tags, which live elsewhere, lets the tags' owner ask of it. */
export type TagCarrier<Type extends string> = {
  /** What carries all of the tags, as the principal sees it. */
  taggedWith(principal: Principal, wanted: WantedTagged<Type>): Promise<TaggedPage>;
  /** The tags are no more: nothing carries them from here on. Told twice, it changes nothing. */
  forgetTags(tags: RemovedTag[]): Promise<void>;
};

/** For the statement that refers to them: that none of the tags, known a moment ago, has been removed since. */
export function noneRemoved(removedTag: RemovedTagTable, bindings: Binding[]): SQL | undefined {
  if (bindings.length === 0) return undefined;
  const ids = bindings.map(({ tag_id }) => tag_id);
  return sql`NOT EXISTS (SELECT 1 FROM ${removedTag} WHERE ${among(removedTag.tag_id, ids)})`;
}

export async function forgetTags(
  db: Database,
  tagBinding: TagBindingTable,
  removedTag: RemovedTagTable,
  tags: RemovedTag[],
) {
  if (tags.length === 0) return;
  const told = JSON.stringify(tags);
  const accounts = sql`SELECT value ->> 'account_id', value ->> 'tag_id' FROM json_each(${told})`;
  await db.batch([
    db
      .insert(removedTag)
      .select(sql`SELECT value ->> 'tag_id', value ->> 'account_id' FROM json_each(${told}) WHERE TRUE`)
      .onConflictDoNothing(),
    db.delete(tagBinding).where(sql`(${tagBinding.account_id}, ${tagBinding.tag_id}) IN (${accounts})`),
  ]);
}

/** For the removal of an account. */
export function removeTagsOf(
  db: Database,
  tagBinding: TagBindingTable,
  removedTag: RemovedTagTable,
  account_id: number,
) {
  return [
    db.delete(tagBinding).where(eq(tagBinding.account_id, account_id)),
    db.delete(removedTag).where(eq(removedTag.account_id, account_id)),
  ] as const;
}
