import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../open.ts";
import { among } from "../scope.ts";
import type { Binding } from "./queries.ts";
import type { RemovedTag, RemovedTagTable, TagBindingTable } from "./table.ts";

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
