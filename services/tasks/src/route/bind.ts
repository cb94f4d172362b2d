import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database.ts";
import { inOrder } from "#shared/tag-binding/queries.ts";
import { isOfRoute } from "../checkpoint/order.ts";
import { tagBinding } from "../tag-binding/table.ts";
import { task } from "../task/table.ts";

/** A tag of the checkpoint at the place, -1 for the route itself. */
type Binding = { order: number; ordinal: number; tag_id: number };

/** Of a route and of its checkpoints in order. */
export function bindingsOf(route: { tags: number[] }, stops: { tags: number[] }[]): Binding[] {
  return [route, ...stops].flatMap(({ tags }, index) =>
    inOrder(tags).map((binding) => ({ ...binding, order: index - 1 })),
  );
}

/** For the batch that makes or changes a route, behind it: the route is an id or a query for it, null for none. */
export function bindAll(db: Database, account_id: number, route: SQL, bindings: Binding[], condition = sql`TRUE`) {
  return db.insert(tagBinding).select(
    sql`SELECT 'task', ${task.id}, given.value ->> 'ordinal', given.value ->> 'tag_id', ${task.account_id}
      FROM ${task} JOIN json_each(${JSON.stringify(bindings)}) AS given
        ON given.value ->> 'order' = iif(${task.id} = ${route}, -1, ${task.order})
      WHERE ${isOfRoute({ account_id }, route)} AND ${condition}`,
  );
}
