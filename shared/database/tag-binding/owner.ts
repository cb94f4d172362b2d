import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../open.ts";
import { among } from "../scope.ts";
import { write } from "../steps.ts";
import type { Binding } from "./queries.ts";
import type { RemovedTag, RemovedTagTable, TagBindingTable } from "./table.ts";

/** For a transaction that binds tags: none of them has been removed since they were looked up. */
export function tagsStillExist(removedTag: RemovedTagTable, bindings: Pick<Binding, "tag_id">[]): SQL | undefined {
  if (bindings.length === 0) return undefined;
  const ids = bindings.map(({ tag_id }) => tag_id);
  return sql`NOT EXISTS (SELECT 1 FROM ${removedTag} WHERE ${among(removedTag.tag_id, ids)})`;
}

export async function deleteTagBindings(
  db: Database,
  tagBinding: TagBindingTable,
  removedTag: RemovedTagTable,
  tags: RemovedTag[],
) {
  if (tags.length === 0) return;
  const removed = sql`json_each(${JSON.stringify(tags)})`;
  const accountsTags = sql`SELECT value ->> 'account_id', value ->> 'tag_id' FROM ${removed}`;
  await write(db, {
    remembered: db
      .insert(removedTag)
      .select(sql`SELECT value ->> 'tag_id', value ->> 'account_id' FROM ${removed} WHERE TRUE`)
      .onConflictDoNothing(),
    unbound: db.delete(tagBinding).where(sql`(${tagBinding.account_id}, ${tagBinding.tag_id}) IN (${accountsTags})`),
  });
}
