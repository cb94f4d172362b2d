import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { demand, write } from "#shared/database/steps.ts";
import { toBindings } from "#shared/database/tag-binding/queries.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { demandTemplates, replaceForm, type Wish } from "../../form/issue-queries.ts";
import { shownForm } from "../../form/queries.ts";
import { recording } from "../../outbox/audit.ts";
import { form } from "../../table/form.ts";
import { ofRow, task } from "../../table/task.ts";
import { bindNew, demandTags, rebind, unbindRemoved } from "../../tag-binding/queries.ts";
import { failWithout } from "../deadline-queries.ts";
import { changedMembers, forgetHistory, keepHistory, wholeTask } from "../history/record-queries.ts";
import { ofTask, ofType, shown } from "../list-queries.ts";
import {
  countExternal,
  countsOf,
  demandCurrent,
  demandOpen,
  demandThere,
  hasTask,
  isOpen,
  newest,
} from "../queries.ts";
import { columnsOf, type TaskMembers, unknownTemplate } from "../schema.ts";
import { hasBegun, hasRoom, inFrontOf, removeWithLast, settleRoute } from "./order-queries.ts";
import { MOST_CHECKPOINTS, toCheckpoint } from "./schema.ts";

type NewMembers = TaskMembers & { parent_id: number; order: number; wish?: Wish };

/** It has the tracker of its route, which must not be one of those that lack the feature. */
export async function insertCheckpoint(
  db: Database,
  principal: Principal,
  { parent_id, order, wish, ...members }: NewMembers,
  lacking: number[],
  actor: Actor,
) {
  const tags = toBindings(members.tags);
  const route = ofType(principal, "route", eq(task.id, parent_id));
  const values = valuesOf(columnsOf(members), order, actor.action_date);
  const { inserted, counts } = await write(db, {
    ...demandUsable(route, lacking),
    areTags: demandTags("task", tags),
    hasTemplate: demandTemplates(principal, [wish], unknownTemplate),
    room: demandQuota(principal, "tasks", task),
    inserted: db
      .insert(task)
      .select(sql`SELECT ${sql.join(values, sql`, `)} FROM ${task} WHERE ${route}`)
      .returning({ id: task.id }),
    recorded: recording(db, actor, {
      is: ["checkpoint", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: members.label, route_id: parent_id },
    }),
    bound: bindNew(db, principal, "task", task, tags),
    settled: settleRoute(db, principal, sql`${parent_id}`),
    history: keepHistory(db, actor, "create", wholeTask(), eq(task.id, newest)),
    form: replaceForm(db, principal, newest, wish, actor.action_date),
    counts: countExternal(db, principal, [members.external_id]),
  });
  return { id: onlyRow(inserted).id, external_id_counts: countsOf(counts) };
}

type Change = {
  id: number;
  revision: number;
  members: TaskMembers;
  tags: number[] | undefined;
  order: number | undefined;
  wish?: Wish;
};

/** As long as it is as it was read. Without tags those that it carries stay, without an order its place. */
export async function changeCheckpoint(
  db: Database,
  principal: Principal,
  { id, revision, members, tags: given, order, wish }: Change,
  actor: Actor,
) {
  const own = isCheckpoint(principal, id);
  const tags = given && toBindings(given);
  const changed = changedMembers({ ...members, tags: tags?.map(({ tag_id }) => tag_id), order });
  // In front of the one that stands there, or behind it, as it moves back or on.
  const place = order === undefined ? sql`${task.order}` : sql`${order} + 0.5 * sign(${order} - ${task.order})`;
  const { counts } = await write(db, {
    ...demandOpen(own),
    isCurrent: demandCurrent(own, revision),
    areTags: tags && demandTags("task", tags),
    hasTemplate: demandTemplates(principal, [wish], unknownTemplate),
    history: keepHistory(db, actor, "update", changed, own),
    updated: db
      .update(task)
      .set({ ...columnsOf(members), order: place })
      .where(own),
    recorded: recording(db, actor, { is: ["checkpoint", "update"], entry_id: id, payload: { label: members.label } }),
    bound: tags && rebind(db, principal, "task", id, tags),
    settled: settleRoute(db, principal, columnOf(own, sql`${task.parent_id}`)),
    form: replaceForm(db, principal, sql`${id}`, wish, actor.action_date),
    counts: countExternal(db, principal, [members.external_id]),
  });
  return countsOf(counts);
}

/** With its last checkpoint a route goes too. */
export async function removeCheckpoint(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = isCheckpoint(principal, id);
  await write(db, {
    ...demandOpen(own),
    ...leaveRoute(db, principal, own),
    failed: failWithout(db, actor.action_date, columnOf(own, sql`${task.id}`)),
    removed: db.delete(task).where(own),
    recorded: recording(db, actor, { is: ["checkpoint", "delete"], entry_id: id }),
    history: forgetHistory(db, principal.account_id, sql`${id}`),
    unbound: unbindRemoved(db, "task", task, [id]),
  });
}

/** Becomes a task with the tracker that it has; with its last checkpoint a route goes. */
export async function turnIntoTask(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = isCheckpoint(principal, id);
  await write(db, {
    ...demandOpen(own, sql`NOT ${hasBegun(ofRow.parent_id)}`),
    history: keepHistory(db, actor, "update", sql`json_object('type', 'task')`, own),
    ...leaveRoute(db, principal, own),
    updated: db.update(task).set({ type: "task", parent_id: null, order: null }).where(own),
    recorded: recording(db, actor, { is: ["checkpoint", "transmute"], entry_id: id }),
  });
}

export async function requireCheckpoint(db: Database, principal: Principal, id: number) {
  const [row] = await db
    .select({ ...shown, form: shownForm })
    .from(task)
    .leftJoin(form, ofTask)
    .where(isCheckpoint(principal, id));
  if (!row) throw new ApiError(201);
  return toCheckpoint(row);
}

/** The columns of a checkpoint, in their order, of which some are its route's. */
function valuesOf(columns: Record<string, unknown>, order: number, now: number) {
  const own: Record<string, SQL> = {
    account_id: sql`${task.account_id}`,
    tracker_id: sql`${task.tracker_id}`,
    type: sql`'checkpoint'`,
    parent_id: sql`${task.id}`,
    order: inFrontOf(order),
    status: sql`${task.status}`,
    status_change_date: sql`${now}`,
    creation_date: sql`${now}`,
    stay_duration: sql`0`,
    origin: sql`'manual'`,
    revision: sql`0`,
  };
  return Object.entries(getTableColumns(task)).map(
    ([name, column]) => own[name] ?? sql.param(columns[name] ?? null, column),
  );
}

/** That the route is there, has not ended, and may have one more checkpoint. */
function demandUsable(route: SQL | undefined, lacking: number[]) {
  const hasFeature = sql`(${task.tracker_id} IS NULL OR NOT ${among(task.tracker_id, lacking)})`;
  const demandRoute = (condition: SQL, error: () => ApiError) => demand(hasTask(sql`${route} AND ${condition}`), error);
  return {
    isThere: demandThere(route),
    hasFeature: demandRoute(hasFeature, () => new ApiError(236)),
    isOpen: demandRoute(isOpen, () => invalid("task.parent_id", "is a route that has ended")),
    hasRoom: demandRoute(hasRoom, () => invalid("task.parent_id", `is a route with ${MOST_CHECKPOINTS} checkpoints`)),
  };
}

/** In front of the statement that takes the checkpoint away. */
function leaveRoute(db: Database, principal: Principal, own: SQL | undefined) {
  const [route, leaving] = [columnOf(own, sql`${task.parent_id}`), columnOf(own, sql`${task.id}`)];
  return {
    settled: settleRoute(db, principal, route, leaving),
    removedWithLast: removeWithLast(db, principal, route, leaving),
  };
}

function columnOf(own: SQL | undefined, column: SQL) {
  return sql`(SELECT ${column} FROM ${task} WHERE ${own})`;
}

function isCheckpoint(principal: Principal, id: number) {
  return ofType(principal, "checkpoint", eq(task.id, id));
}
