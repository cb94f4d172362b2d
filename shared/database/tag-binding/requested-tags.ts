import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { TagBindingTable } from "./table.ts";

/**
 * That the thing carries all of the tags, for a prepared statement: which they are is told by `requestedTags` when it runs. A
 * search over all types has a statement for each of them, and to build these takes longer than to run them.
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

/** The values of `carriesRequestedTags`, besides those that `callerOf` has. */
export function requestedTags(tag_ids: number[]) {
  const distinct = [...new Set(tag_ids)];
  return { tags: JSON.stringify(distinct), tag_count: distinct.length };
}
