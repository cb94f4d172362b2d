import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { only, rowIf } from "#shared/database/rows.ts";
import { noneRemoved } from "#shared/database/tag-binding/owner.ts";
import { invalid } from "#shared/error/api-error.ts";
import { unknownTag } from "../../links/require.ts";
import { recording } from "../../outbox/audit.ts";
import { removedTag } from "../../table/removed-tag.ts";
import { tagBinding } from "../../table/tag-binding.ts";
import { task } from "../../table/task.ts";
import { taskHistory } from "../../table/task-history.ts";
import { isOfRoute } from "../checkpoint/order.ts";
import { changedMembers, isNewToHistory, keepHistory, wholeTask } from "../history/record.ts";
import { assignment, countExternal, countsOf, isOpen, keepAssignment, newest } from "../queries.ts";
import { beginning, columnsOf, foldedTexts } from "../schema.ts";
import { ofType, shownRoute } from "../select.ts";
import { bindAll, bindingsOf } from "./bind.ts";
import { type NewRoute, type NewStop, toRoute } from "./schema.ts";

/** The route with its checkpoints, at most one of which is a task so far. */
export async function insertRoute(
  db: Database,
  principal: Principal,
  { tags, ...given }: NewRoute,
  stops: NewStop[],
  actor: Actor,
) {
  const { account_id } = principal;
  const begun = { ...beginning(given.tracker_id, actor.action_date), account_id, origin: "manual" as const };
  const [first, last] = [only(stops), only(stops.slice(-1))];
  const row = {
    ...given,
    ...foldedTexts(given),
    ...begun,
    ...{ type: "route" as const, from: first.from, to: last.to },
    // Its checkpoints have their own.
    ...{ max_delay: 0, min_stay_duration: 0, min_arrival_duration: 0 },
  };
  const made = stops.flatMap((stop, order) =>
    stop.id === null ? [{ ...columnsOf(stop), ...begun, type: "checkpoint", order }] : [],
  );
  const bindings = bindingsOf({ tags }, stops);

  const order = stops.findIndex(({ id }) => id !== null);
  const { id: old_id, form_template_id, ...old } = stops[order] ?? first;
  const found = ofType(principal, "task", eq(task.id, old_id ?? 0), isOpen);
  const isThere = old_id === null ? undefined : sql`EXISTS (SELECT 1 FROM ${task} WHERE ${found})`;

  // The newest of all is one of its checkpoints, if it was made; and it has no history until the last of it is made.
  const route = sql`(SELECT made.parent_id FROM ${task} AS made WHERE made.id = ${newest} AND made.account_id = ${account_id}
    AND NOT EXISTS (SELECT 1 FROM ${taskHistory} WHERE ${taskHistory.account_id} = ${account_id} AND ${taskHistory.task_id} = made.parent_id))`;
  const isMade = sql`${route} IS NOT NULL`;
  const place = sql`json_object('type', 'checkpoint', 'parent_id', ${route}, 'order', ${order})`;
  const [[inserted], , , , , , , , , [shown], , known, counts] = await db.batch([
    db
      .insert(task)
      .select(rowIf(task, row, and(noneRemoved(removedTag, bindings), isThere)))
      .returning({ id: task.id }),
    recording(db, actor, {
      is: ["route", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: given.label, tracker_id: given.tracker_id, checkpoints: stops.length },
    }),
    insertStops(db, made),
    keepHistory(db, actor, "update", sql`json_patch(${changedMembers(old)}, ${place})`, and(found, isMade)),
    ...keepAssignment(db, actor, given.tracker_id, and(found, isMade)),
    db
      .update(task)
      .set({
        ...columnsOf(old),
        ...assignment(given.tracker_id, actor.action_date),
        type: "checkpoint",
        parent_id: route,
        order,
      })
      .where(and(found, isMade)),
    db
      .delete(tagBinding)
      .where(
        and(
          eq(tagBinding.entity_type, "task"),
          eq(tagBinding.entity_id, old_id ?? 0),
          sql`EXISTS (SELECT 1 FROM ${task} WHERE ${task.id} = ${old_id} AND ${task.parent_id} = ${route})`,
        ),
      ),
    bindAll(db, account_id, route, bindings),
    db
      .select(shownRoute)
      .from(task)
      .where(and(eq(task.account_id, account_id), sql`${task.id} = ${route}`)),
    keepHistory(db, actor, "create", wholeTask(), and(isOfRoute(principal, route), isNewToHistory)),
    db.select({ id: task.id }).from(task).where(found),
    countExternal(db, principal, [given.external_id, ...stops.map(({ external_id }) => external_id)]),
  ]);
  if (inserted && shown) return { result: toRoute(shown), external_id_counts: countsOf(counts) };
  if (isThere && known.length === 0) throw invalid("task.id", "is not a task that can become a checkpoint");
  throw unknownTag("task");
}

/** Behind the record of the route, which is the newest then. */
function insertStops(db: Database, made: object[]) {
  const values = Object.keys(getTableColumns(task)).map((name) => {
    if (name === "parent_id") return newest;
    if (name === "revision") return sql`0`;
    return name === "id" ? sql`NULL` : sql.raw(`made.value ->> '${name}'`);
  });
  return db
    .insert(task)
    .select(
      sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${JSON.stringify(made)}) AS made WHERE changes() = 1 ORDER BY made.key`,
    );
}
