import { count, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, outdatedError, write } from "#shared/database/steps.ts";
import { toBindings } from "#shared/database/tag-binding/queries.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { demandTemplates, replaceForm, type TemplateChoice } from "../form/issue-queries.ts";
import { demandTracker } from "../links/tracker-queries.ts";
import { recordChange, recordEachChange } from "../outbox/audit.ts";
import { type TYPES, task } from "../table/task/task.ts";
import { deleteRemovedBindings, demandTags, insertBindings, replaceBindings } from "../tag-binding/queries.ts";
import { selectEntries, selectPayload } from "./audit-queries.ts";
import {
  type ChangeAuthor,
  deleteHistory,
  insertHistory,
  selectChangedMembers,
  selectCreationPayload,
} from "./history/record-queries.ts";
import { isOfType, taskColumns } from "./list-queries.ts";
import { type NewTask, type TaskMembers, toColumns, toInitialColumns, unknownTemplateError } from "./schema.ts";

/** True in the statuses in which a task may still be changed. */
export const isOpen = inArray(task.status, ["unassigned", "assigned"]);
/** The id of the task that the transaction has just inserted. */
export const newestId = sql`(SELECT max(id) FROM ${task})`;

export async function insertTask(
  db: Database,
  principal: Principal,
  { tracker_id, origin, import_id, form_template_id, ...members }: NewTask,
  actor: Actor,
) {
  const tags = toBindings(members.tags);
  const isImported = origin === "imported" && import_id !== undefined && import_id !== null;
  const row = {
    ...toColumns(members),
    ...toInitialColumns(tracker_id, actor.action_date),
    account_id: principal.account_id,
    type: "task" as const,
    origin: isImported ? ("imported" as const) : ("manual" as const),
  };
  const { inserted, counts } = await write(db, {
    hasTracker: demandTracker(tracker_id, 201),
    areTags: demandTags("task", tags),
    hasTemplate: demandTemplates(principal, [form_template_id], unknownTemplateError),
    quota: demandQuota(principal, "tasks", task),
    inserted: db.insert(task).values(row).returning({ id: task.id }),
    recorded: recordChange(db, actor, {
      is: ["task", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: members.label, tracker_id },
    }),
    bound: insertBindings(db, principal, "task", task, tags),
    history: insertHistory(db, actor, "create", selectCreationPayload(), eq(task.id, newestId)),
    form: replaceForm(db, principal, newestId, form_template_id ?? undefined, actor.action_date),
    counts: countExternalIds(db, principal, [members.external_id]),
  });
  return { id: onlyRow(inserted).id, external_id_counts: toExternalIdCounts(counts) };
}

/** The task with its revision, for changing it. */
export async function requireForUpdate(db: Database, principal: Principal, type: (typeof TYPES)[number], id: number) {
  const [row] = await db
    .select({ ...taskColumns, revision: task.revision })
    .from(task)
    .where(isOfType(principal, type, eq(task.id, id)));
  if (!row) throw new ApiError(201);
  return row;
}

type TaskChange = {
  id: number;
  revision: number;
  members: TaskMembers;
  tags: number[] | undefined;
  template?: TemplateChoice;
};

/**
 * Changes the task if it is open and its revision is the one that was read. Undefined tags leave the tags as they are.
 */
export async function changeTask(
  db: Database,
  principal: Principal,
  { id, revision, members, tags: given, template }: TaskChange,
  actor: Actor,
) {
  const own = isTask(principal, id);
  const tags = given && toBindings(given);
  const changed = selectChangedMembers({ ...members, tags: tags?.map(({ tag_id }) => tag_id) });
  const { counts } = await write(db, {
    ...demandOpen(own),
    isCurrent: demandCurrent(own, revision),
    areTags: tags && demandTags("task", tags),
    hasTemplate: demandTemplates(principal, [template], unknownTemplateError),
    history: insertHistory(db, actor, "update", changed, own),
    updated: db.update(task).set(toColumns(members)).where(own),
    recorded: recordChange(db, actor, { is: ["task", "update"], entry_id: id, payload: selectPayload(own) }),
    bound: tags && replaceBindings(db, principal, "task", id, tags),
    form: replaceForm(db, principal, sql`${id}`, template, actor.action_date),
    counts: countExternalIds(db, principal, [members.external_id]),
  });
  return toExternalIdCounts(counts);
}

/** Assigns the task to the tracker; null unassigns it. */
export async function storeAssignment(
  db: Database,
  principal: Principal,
  id: number,
  tracker_id: number | null,
  actor: Actor,
) {
  const own = isTask(principal, id);
  await write(db, {
    ...demandOpen(own),
    hasTracker: demandTracker(tracker_id, 204),
    history: insertAssignmentHistory(db, actor, tracker_id, own),
    assigned: db.update(task).set(toAssignmentColumns(tracker_id, actor.action_date)).where(own),
    recorded: recordChange(db, actor, { is: ["task", "assign"], entry_id: id, payload: { tracker_id } }),
  });
}

/** Stores history of an assignment. Runs before the update of the tasks that match the condition. */
export function insertAssignmentHistory(
  db: Database,
  actor: Actor,
  tracker_id: number | null,
  condition: SQL | undefined,
) {
  const { status } = toInitialColumns(tracker_id, 0);
  return insertMoveHistory(db, actor, { tracker_id: sql`${tracker_id}`, status: sql`${status}` }, condition);
}

type Assignment = { tracker_id: SQL; status: SQL };

/** Stores history for the tasks whose tracker or status differs from the new ones. Runs before their update. */
export function insertMoveHistory(
  db: Database,
  author: ChangeAuthor,
  { tracker_id, status }: Assignment,
  condition: SQL | undefined,
) {
  const isMoved = sql`${condition} AND ${task.tracker_id} IS NOT ${tracker_id}`;
  const hasNewStatus = sql`${condition} AND ${task.status} <> ${status}`;
  return [
    insertHistory(db, author, "assign", sql`json_object('tracker_id', ${tracker_id})`, isMoved),
    insertHistory(db, author, "status_change", sql`json_object('status', ${status})`, hasNewStatus),
  ];
}

export function toAssignmentColumns(tracker_id: number | null, now: number) {
  const { status } = toInitialColumns(tracker_id, now);
  return { tracker_id, status, status_change_date: selectStatusDate(sql`${status}`, now) };
}

/** The date of the status: unchanged if the task has this status already. */
export function selectStatusDate(status: SQL, now: number) {
  return sql`iif(${task.status} = ${status}, ${task.status_change_date}, ${now})`;
}

export async function removeTask(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = isTask(principal, id);
  await write(db, {
    recorded: recordEachChange(db, actor, { is: ["task", "delete"] }, selectEntries(own)),
    removed: db.delete(task).where(own),
    isRemoved: demandChange(() => new ApiError(201)),
    history: deleteHistory(db, principal.account_id, sql`${id}`),
    unbound: deleteRemovedBindings(db, "task", task, [id]),
  });
}

/** Counts visible tasks by external id, for those ids that more than one task has. */
export function countExternalIds(db: Database, principal: Principal, external_ids: (string | null)[]) {
  const ids = [...new Set(external_ids.flatMap((one) => one ?? []))];
  return db
    .select({ external_id: sql<string>`${task.external_id}`, count: count() })
    .from(task)
    .where(visibleTo(principal, task, among(task.external_id, ids), isNotNull(task.external_id)))
    .groupBy(task.external_id)
    .having(sql`count(*) > 1`);
}

export function toExternalIdCounts(counts: { external_id: string; count: number }[]) {
  return counts.length > 0 ? counts : undefined;
}

/** Demands that the task is visible and may still be changed. */
export function demandOpen(own: SQL | undefined, isUntouched: SQL = isOpen) {
  return {
    isThere: demandVisible(own),
    isOpen: demand(hasTask(sql`${own} AND ${isUntouched}`), () => new ApiError(255)),
  };
}

/** Demands the revision that was read. Comes after `demandOpen`, whose errors take precedence. */
export function demandCurrent(own: SQL | undefined, revision: number) {
  return demand(hasTask(sql`${own} AND ${task.revision} = ${revision}`), outdatedError);
}

export function demandVisible(own: SQL | undefined) {
  return demand(hasTask(own), () => new ApiError(201));
}

export function hasTask(condition: SQL | undefined): SQL {
  return sql`EXISTS (SELECT 1 FROM ${task} WHERE ${condition})`;
}

function isTask(principal: Principal, id: number) {
  return isOfType(principal, "task", eq(task.id, id));
}
