import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { toBindings } from "#shared/database/tag-binding/queries.ts";
import { tagBinding } from "../../table/tag/tag-binding.ts";
import { task } from "../../table/task/task.ts";

/** A tag of the checkpoint at `order`; -1 means the route itself. */
type Binding = { order: number; ordinal: number; tag_id: number };

/** The tags of a route and of its checkpoints, which are in order. */
export function toRouteBindings(route: { tags: number[] }, stops: { tags: number[] }[]): Binding[] {
  return [route, ...stops].flatMap(({ tags }, index) =>
    toBindings(tags).map((binding) => ({ ...binding, order: index - 1 })),
  );
}

/**
 * Adds tags. Runs after the statements that store the route and number its checkpoints; `route` is an id or a query for
 * it.
 */
export function insertBindings(db: Database, account_id: number, route: SQL, bindings: Binding[]) {
  const stop = sql`(SELECT stop.id FROM ${task} AS stop WHERE stop.account_id = ${account_id} AND stop.parent_id = ${route}
    AND stop."order" = binding.value ->> 'order')`;
  // CROSS JOIN makes SQLite look up the task of each tag; otherwise it searches all tags for each task.
  return db.insert(tagBinding).select(
    sql`SELECT 'task', ${task.id}, binding.value ->> 'ordinal', binding.value ->> 'tag_id', ${task.account_id}
      FROM json_each(${JSON.stringify(bindings)}) AS binding
      CROSS JOIN ${task} ON ${task.id} = iif(binding.value ->> 'order' = -1, ${route}, ${stop})
      WHERE ${task.account_id} = ${account_id}`,
  );
}

/** Removes the tags of the tasks that match the condition. */
export function deleteBindings(db: Database, condition: SQL | undefined) {
  const ids = sql`(SELECT ${task.id} FROM ${task} WHERE ${condition})`;
  return db.delete(tagBinding).where(and(eq(tagBinding.entity_type, "task"), sql`${tagBinding.entity_id} IN ${ids}`));
}
