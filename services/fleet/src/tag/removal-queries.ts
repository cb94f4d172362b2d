import { sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import type { RemovedTag } from "#shared/database/tag-binding/table.ts";
import { recordEachChange } from "../outbox/audit.ts";
import { tag } from "../table/tag/tag.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";

/**
 * Marks the tags as being removed, so that new bindings are refused; answers them, including those that were marked
 * before.
 */
export async function markTagsRemoving(
  db: Database,
  principal: Principal,
  ids: number[],
  { actor, now }: { actor: Actor; now: number },
): Promise<RemovedTag[]> {
  const own = visibleTo(principal, tag, among(tag.id, ids));
  const entries = sql`SELECT ${tag.id} AS id, json_object('name', ${tag.name}) AS payload FROM ${tag}
    WHERE ${own} AND NOT ${tag.removing}`;
  const { marked } = await write(db, {
    record: recordEachChange(db, actor, { is: ["tag", "delete"] }, entries),
    marked: db
      .update(tag)
      .set({ removing: true, removing_since: now })
      .where(own)
      .returning({ tag_id: tag.id, account_id: tag.account_id }),
  });
  return marked;
}

/** Tags whose removal began before `until`, in ms since the epoch, and is unfinished; accounts alternate. */
export function selectRemovingTags(db: Database, until: number, limit: number): Promise<RemovedTag[]> {
  const isDue = sql`removing_since < ${until}`;
  const due = selectDueByAccount({ table: tag, isWaiting: sql`removing`, isDue, order: sql`id` }, limit);
  return db.select({ tag_id: tag.id, account_id: tag.account_id }).from(tag).where(sql`${tag.id} IN (${due})`);
}

/** Deletes the tags' bindings in this service, and then the tags; answers the ids of those that existed. */
export async function deleteTags(db: Database, tags: RemovedTag[]) {
  const removed = sql`SELECT value ->> 'account_id', value ->> 'tag_id' FROM json_each(${JSON.stringify(tags)})`;
  const { tags: deleted } = await write(db, {
    bindings: db.delete(tagBinding).where(sql`(${tagBinding.account_id}, ${tagBinding.tag_id}) IN (${removed})`),
    tags: db.delete(tag).where(sql`(${tag.account_id}, ${tag.id}) IN (${removed})`).returning({ id: tag.id }),
  });
  return deleted;
}
