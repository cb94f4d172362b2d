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
import { demandTemplates, replaceForm, type TemplateChoice } from "../../form/issue-queries.ts";
import { formColumns } from "../../form/queries.ts";
import { recordChange, recordEachChange } from "../../outbox/audit.ts";
import { form } from "../../table/form/form.ts";
import { outerTask, task } from "../../table/task/task.ts";
import { deleteRemovedBindings, demandTags, insertBindings, replaceBindings } from "../../tag-binding/queries.ts";
import { selectEntries, selectPayload } from "../audit-queries.ts";
import { failRouteWithout } from "../deadline-queries.ts";
import {
  deleteHistory,
  insertHistory,
  selectChangedMembers,
  selectCreationPayload,
} from "../history/record-queries.ts";
import { isFormOfTask, isOfType, taskColumns } from "../list-queries.ts";
import {
  countExternalIds,
  demandCurrent,
  demandOpen,
  demandVisible,
  hasTask,
  isOpen,
  newestId,
  toExternalIdCounts,
} from "../queries.ts";
import { type TaskMembers, toColumns, unknownTemplateError } from "../schema.ts";
import { hasBegun, isBelowMaxCheckpoints, orderBefore, recomputeRoute, removeEmptyRoute } from "./order-queries.ts";
import { MAX_CHECKPOINTS, toCheckpoint } from "./schema.ts";

type NewCheckpointMembers = TaskMembers & { parent_id: number; order: number; template?: TemplateChoice };

/**
 * Adds a checkpoint with the tracker of its route, which must not be among `lacking`, the trackers without the feature.
 */
export async function insertCheckpoint(
  db: Database,
  principal: Principal,
  { parent_id, order, template, ...members }: NewCheckpointMembers,
  lacking: number[],
  actor: Actor,
) {
  const tags = toBindings(members.tags);
  const route = isOfType(principal, "route", eq(task.id, parent_id));
  const values = toColumnValues(toColumns(members), order, actor.action_date);
  const { inserted, counts } = await write(db, {
    ...demandExtensible(route, lacking),
    areTags: demandTags("task", tags),
    hasTemplate: demandTemplates(principal, [template], unknownTemplateError),
    quota: demandQuota(principal, "tasks", task),
    inserted: db
      .insert(task)
      .select(sql`SELECT ${sql.join(values, sql`, `)} FROM ${task} WHERE ${route}`)
      .returning({ id: task.id }),
    recorded: recordChange(db, actor, {
      is: ["checkpoint", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: members.label, route_id: parent_id },
    }),
    bound: insertBindings(db, principal, "task", task, tags),
    recomputed: recomputeRoute(db, principal, sql`${parent_id}`),
    history: insertHistory(db, actor, "create", selectCreationPayload(), eq(task.id, newestId)),
    form: replaceForm(db, principal, newestId, template, actor.action_date),
    counts: countExternalIds(db, principal, [members.external_id]),
  });
  return { id: onlyRow(inserted).id, external_id_counts: toExternalIdCounts(counts) };
}

type CheckpointChange = {
  id: number;
  revision: number;
  members: TaskMembers;
  tags: number[] | undefined;
  order: number | undefined;
  template?: TemplateChoice;
};

/** Changes the checkpoint if its revision is the one that was read. Undefined tags or order leave them as they are. */
export async function changeCheckpoint(
  db: Database,
  principal: Principal,
  { id, revision, members, tags: given, order, template }: CheckpointChange,
  actor: Actor,
) {
  const own = isCheckpoint(principal, id);
  const tags = given && toBindings(given);
  const changed = selectChangedMembers({ ...members, tags: tags?.map(({ tag_id }) => tag_id), order });
  // Moving up it goes before the checkpoint at this order, moving down after it.
  const newOrder = order === undefined ? sql`${task.order}` : sql`${order} + 0.5 * sign(${order} - ${task.order})`;
  const { counts } = await write(db, {
    ...demandOpen(own),
    isCurrent: demandCurrent(own, revision),
    areTags: tags && demandTags("task", tags),
    hasTemplate: demandTemplates(principal, [template], unknownTemplateError),
    history: insertHistory(db, actor, "update", changed, own),
    updated: db
      .update(task)
      .set({ ...toColumns(members), order: newOrder })
      .where(own),
    recorded: recordChange(db, actor, {
      is: ["checkpoint", "update"],
      entry_id: id,
      payload: selectPayload(own),
    }),
    bound: tags && replaceBindings(db, principal, "task", id, tags),
    recomputed: recomputeRoute(db, principal, selectColumn(own, sql`${task.parent_id}`)),
    form: replaceForm(db, principal, sql`${id}`, template, actor.action_date),
    counts: countExternalIds(db, principal, [members.external_id]),
  });
  return toExternalIdCounts(counts);
}

/** Deletes the checkpoint, and with its last checkpoint the route. */
export async function removeCheckpoint(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = isCheckpoint(principal, id);
  await write(db, {
    ...demandOpen(own),
    ...leaveRoute(db, principal, own),
    failed: failRouteWithout(db, actor.action_date, selectColumn(own, sql`${task.id}`)),
    recorded: recordEachChange(db, actor, { is: ["checkpoint", "delete"] }, selectEntries(own)),
    removed: db.delete(task).where(own),
    history: deleteHistory(db, principal.account_id, sql`${id}`),
    unbound: deleteRemovedBindings(db, "task", task, [id]),
  });
}

/** Turns the checkpoint into a task with its tracker; a route without checkpoints is deleted. */
export async function convertToTask(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = isCheckpoint(principal, id);
  await write(db, {
    ...demandOpen(own, sql`NOT ${hasBegun(outerTask.parent_id)}`),
    history: insertHistory(db, actor, "update", sql`json_object('type', 'task')`, own),
    ...leaveRoute(db, principal, own),
    updated: db.update(task).set({ type: "task", parent_id: null, order: null }).where(own),
    recorded: recordChange(db, actor, { is: ["checkpoint", "transmute"], entry_id: id }),
  });
}

export async function requireCheckpoint(db: Database, principal: Principal, id: number) {
  const [row] = await db
    .select({ ...taskColumns, form: formColumns })
    .from(task)
    .leftJoin(form, isFormOfTask)
    .where(isCheckpoint(principal, id));
  if (!row) throw new ApiError(201);
  return toCheckpoint(row);
}

/** Values for all columns of a checkpoint, in their order; some are copied from its route. */
function toColumnValues(columns: Record<string, unknown>, order: number, now: number) {
  const own: Record<string, SQL> = {
    account_id: sql`${task.account_id}`,
    tracker_id: sql`${task.tracker_id}`,
    type: sql`'checkpoint'`,
    parent_id: sql`${task.id}`,
    order: orderBefore(order),
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

/** Demands that the route is visible, has the feature, has not ended, and may have one more checkpoint. */
function demandExtensible(route: SQL | undefined, lacking: number[]) {
  const hasFeature = sql`(${task.tracker_id} IS NULL OR NOT ${among(task.tracker_id, lacking)})`;
  const demandRoute = (condition: SQL, error: () => ApiError) => demand(hasTask(sql`${route} AND ${condition}`), error);
  return {
    isThere: demandVisible(route),
    hasFeature: demandRoute(hasFeature, () => new ApiError(236)),
    isOpen: demandRoute(isOpen, () => invalid("task.parent_id", "is a route that has ended")),
    hasRoom: demandRoute(isBelowMaxCheckpoints, () =>
      invalid("task.parent_id", `is a route with ${MAX_CHECKPOINTS} checkpoints`),
    ),
  };
}

/** Steps before the statement that takes the checkpoint off its route. */
function leaveRoute(db: Database, principal: Principal, own: SQL | undefined) {
  const [route, leaving] = [selectColumn(own, sql`${task.parent_id}`), selectColumn(own, sql`${task.id}`)];
  return {
    recomputed: recomputeRoute(db, principal, route, leaving),
    removedWithLast: removeEmptyRoute(db, principal, route, leaving),
  };
}

function selectColumn(own: SQL | undefined, column: SQL) {
  return sql`(SELECT ${column} FROM ${task} WHERE ${own})`;
}

function isCheckpoint(principal: Principal, id: number) {
  return isOfType(principal, "checkpoint", eq(task.id, id));
}
