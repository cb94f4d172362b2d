import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { noneRemoved } from "#shared/database/tag-binding/owner.ts";
import { invalid } from "#shared/error/api-error.ts";
import { unknownTag } from "../../links/require.ts";
import { recording } from "../../outbox/audit.ts";
import { removedTag } from "../../table/removed-tag.ts";
import { tagBinding } from "../../table/tag-binding.ts";
import { task } from "../../table/task.ts";
import { taskHistory } from "../../table/task-history.ts";
import { isOfRoute, settleRoute } from "../checkpoint/order.ts";
import { changedIn, changedMembers, isNewToHistory, keepHistory, wholeTask } from "../history/record.ts";
import { isTrue, requireOpen } from "../queries.ts";
import { columnsOf, foldedTexts } from "../schema.ts";
import { ofType, shownRoute } from "../select.ts";
import { bindAll, bindingsOf } from "./bind.ts";
import { isChangeable, selectState } from "./queries.ts";
import { type GivenRoute, type NewStop, toRoute } from "./schema.ts";

/** With the checkpoints in their order: those missing go; null leaves them all as they are. */
export async function changeRoute(
  db: Database,
  principal: Principal,
  { id: route_id, tags, ...given }: GivenRoute & { id: number },
  stops: NewStop[] | null,
  actor: Actor,
) {
  const { account_id } = principal;
  const members = { ...given, tags: [...new Set(tags)] };
  const bindings = bindingsOf({ tags }, stops ?? []);
  const rows = (stops ?? []).map(({ id, form_template_id, ...stop }, order) => ({
    id,
    members: { ...stop, tags: [...new Set(stop.tags)], order },
    columns: { ...columnsOf(stop), order },
  }));
  const [kept, made] = [rows.filter(({ id }) => id !== null), rows.filter(({ id }) => id === null)];
  const ids = kept.flatMap(({ id }) => id ?? []);

  const route = ofType(principal, "route", eq(task.id, route_id));
  const ofRoute = visibleTo(principal, task, eq(task.parent_id, route_id));
  const areThere = sql`(SELECT count(*) FROM ${task} WHERE ${and(ofRoute, among(task.id, ids))}) = ${ids.length}`;
  const isFree = and(isChangeable(principal, route_id), areThere, noneRemoved(removedTag, bindings));
  const withStops = and(isFree, stops ? undefined : sql`FALSE`);
  const isGone = and(ofRoute, sql`NOT ${among(task.id, ids)}`, withStops);
  const keptRows = sql`json_each(${JSON.stringify(kept)}) AS given`;
  const joined = sql`${keptRows} CROSS JOIN ${task} ON ${task.id} = given.value ->> 'id'`;
  const names = Object.keys(rows[0]?.members ?? {});
  // Of its checkpoints only with them.
  const rebound = and(isOfRoute(principal, sql`${route_id}`), isFree, stops ? undefined : eq(task.type, "route"));

  const [, , , , , , , , , updated, , , , , , , state, [shown], [links]] = await db.batch([
    keepHistory(db, actor, "update", changedMembers(members), and(route, isFree)),
    keepHistory(
      db,
      actor,
      "update",
      names.length > 0 ? changedIn(sql`(given.value -> 'members')`, names) : sql`'{}'`,
      and(ofRoute, withStops),
      joined,
    ),
    db.run(
      sql`UPDATE ${task} SET revision = revision + 1, ${sql.join(Object.keys(rows[0]?.columns ?? { label: 0 }).map(taken), sql`, `)} FROM ${keptRows} WHERE ${and(ofRoute, withStops)} AND ${task.id} = given.value ->> 'id'`,
    ),
    db
      .delete(taskHistory)
      .where(
        and(
          eq(taskHistory.account_id, account_id),
          sql`${taskHistory.task_id} IN (SELECT ${task.id} FROM ${task} WHERE ${isGone})`,
        ),
      ),
    db
      .delete(tagBinding)
      .where(
        and(
          eq(tagBinding.entity_type, "task"),
          sql`${tagBinding.entity_id} IN (SELECT ${task.id} FROM ${task} WHERE ${rebound})`,
        ),
      ),
    db.delete(task).where(isGone),
    insertStops(db, made, route_id, actor.action_date, withStops),
    bindAll(db, account_id, sql`${route_id}`, bindings, sql`${isFree}`),
    keepHistory(db, actor, "create", wholeTask(), and(ofRoute, isNewToHistory)),
    db
      .update(task)
      .set({ ...given, ...foldedTexts(given) })
      .where(and(route, isFree))
      .returning({ id: task.id }),
    recording(db, actor, { is: ["route", "update"], entry_id: route_id, payload: { label: given.label } }),
    ...settleRoute(db, principal, sql`${route_id}`),
    selectState(db, principal, route_id),
    db.select(shownRoute).from(task).where(route),
    db.select({ areThere: isTrue(areThere) }).from(sql`(SELECT 1)`),
  ]);
  requireOpen(state);
  if (updated.length > 0 && shown) return toRoute(shown);
  if (!links?.areThere) throw invalid("task.id", "is not a checkpoint of the route");
  throw unknownTag("route");
}

function taken(name: string) {
  return sql.raw(`"${name}" = given.value -> 'columns' ->> '${name}'`);
}

/** In their places, with the tracker that the route has. */
function insertStops(db: Database, made: object[], route_id: number, now: number, condition: SQL | undefined) {
  const own: Record<string, SQL> = {
    id: sql`NULL`,
    account_id: sql`route.account_id`,
    tracker_id: sql`route.tracker_id`,
    type: sql`'checkpoint'`,
    parent_id: sql`route.id`,
    status: sql`route.status`,
    status_change_date: sql`${now}`,
    creation_date: sql`${now}`,
    stay_duration: sql`0`,
    origin: sql`'manual'`,
    revision: sql`0`,
  };
  const values = Object.keys(getTableColumns(task)).map(
    (name) => own[name] ?? sql.raw(`made.value -> 'columns' ->> '${name}'`),
  );
  return db.insert(task).select(
    sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${JSON.stringify(made)}) AS made JOIN ${task} AS route ON route.id = ${route_id}
        WHERE ${condition} ORDER BY made.key`,
  );
}
