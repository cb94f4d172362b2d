import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { TagBindingTable } from "./table.ts";

/**
 * The thing has all requested tags, for a prepared statement; `requestedTags` gives its values. A search over all types
 * has a statement per type, which take longer to build than to run.
 */
export function carriesRequestedTags<Type extends string>(
  tagBinding: TagBindingTable<Type>,
  type: Type,
  id: SQLiteColumn,
): SQL {
  return sql`${id} IN (SELECT ${tagBinding.entity_id} FROM ${tagBinding}
    WHERE ${tagBinding.account_id} = ${sql.placeholder("account_id")} AND +${tagBinding.entity_type} = ${type}
    AND ${tagBinding.tag_id} IN (SELECT value FROM json_each(${sql.placeholder("tags")}))
    GROUP BY ${tagBinding.entity_id} HAVING count(*) = ${sql.placeholder("tag_count")})`;
}

/** Values of the placeholders of `carriesRequestedTags`, besides those of `callerOf`. */
export function requestedTags(tag_ids: number[]) {
  const distinct = [...new Set(tag_ids)];
  return { tags: JSON.stringify(distinct), tag_count: distinct.length };
}
