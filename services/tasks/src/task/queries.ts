import { and, count, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { rowIf } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { noneRemoved } from "#shared/database/tag-binding/owner.ts";
import { inOrder } from "#shared/database/tag-binding/queries.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { unknownTag } from "../links/require.ts";
import { recording } from "../outbox/audit.ts";
import { removedTag } from "../table/removed-tag.ts";
import { task } from "../table/task.ts";
import { bindNew, rebind, unbindGone } from "../tag-binding/queries.ts";
import { changedMembers, forgetHistory, keepHistory, wholeTask } from "./history/record.ts";
import { beginning, columnsOf, type Given, type NewTask } from "./schema.ts";
import { ofType } from "./select.ts";

/** Those statuses in which a task may still be changed. */
export const isOpen = inArray(task.status, ["unassigned", "assigned"]);
/** For the batch of an insert, behind it. */
export const newest = sql`(SELECT max(id) FROM ${task})`;

export async function insertTask(
  db: Database,
  principal: Principal,
  { tracker_id, origin, import_id, form_template_id, ...given }: NewTask,
  actor: Actor,
) {
  const { account_id } = principal;
  const tags = inOrder(given.tags);
  const isImported = origin === "imported" && import_id !== undefined && import_id !== null;
  const row = {
    ...columnsOf(given),
    ...beginning(tracker_id, actor.action_date),
    account_id,
    type: "task" as const,
    origin: isImported ? ("imported" as const) : ("manual" as const),
  };
  const tagged = noneRemoved(removedTag, tags);
  const [[inserted], , , , counts] = await db.batch([
    db
      .insert(task)
      .select(rowIf(task, row, tagged))
      .returning({ id: task.id }),
    recording(db, actor, {
      is: ["task", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: given.label, tracker_id },
    }),
    bindNew(db, principal, "task", task, tags),
    keepHistory(db, actor, "create", wholeTask(), and(eq(task.id, newest), tagged)),
    countExternal(db, principal, [given.external_id]),
  ]);
  if (!inserted) throw unknownTag("task");
  return { id: inserted.id, external_id_counts: countsOf(counts) };
}

type Changed = Given & { id: number };

/** Of the type given, unless somebody has worked on it. */
export async function changeTask(db: Database, principal: Principal, { id, ...given }: Changed, actor: Actor) {
  const found = isTask(principal, id);
  const tags = inOrder(given.tags);
  const changeable = and(found, isOpen, noneRemoved(removedTag, tags));
  const { tags: given_tags, ...plain } = given;
  const members = { ...plain, tags: tags.map(({ tag_id }) => tag_id) };
  const [, updated, , , , known, counts] = await db.batch([
    keepHistory(db, actor, "update", changedMembers(members), changeable),
    db.update(task).set(columnsOf(given)).where(changeable).returning({ id: task.id }),
    recording(db, actor, { is: ["task", "update"], entry_id: id, payload: { label: given.label } }),
    ...rebind(db, principal, "task", id, tags, sql`EXISTS (SELECT 1 FROM ${task} WHERE ${changeable})`),
    db
      .select({ isOpen: isTrue(isOpen) })
      .from(task)
      .where(found),
    countExternal(db, principal, [given.external_id]),
  ]);
  requireOpen(known);
  if (updated.length === 0) throw unknownTag("task");
  return countsOf(counts);
}

/** With a tracker the task is assigned, with null unassigned. */
export async function giveTask(
  db: Database,
  principal: Principal,
  id: number,
  tracker_id: number | null,
  actor: Actor,
) {
  const found = isTask(principal, id);
  const [, , , , known] = await db.batch([
    ...keepAssignment(db, actor, tracker_id, and(found, isOpen)),
    db.update(task).set(assignment(tracker_id, actor.action_date)).where(and(found, isOpen)),
    recording(db, actor, { is: ["task", "assign"], entry_id: id, payload: { tracker_id } }),
    db
      .select({ isOpen: isTrue(isOpen) })
      .from(task)
      .where(found),
  ]);
  requireOpen(known);
}

/** In front of the assignment. */
export function keepAssignment(db: Database, actor: Actor, tracker_id: number | null, wanted: SQL | undefined) {
  const { status } = beginning(tracker_id, 0);
  return [
    keepHistory(
      db,
      actor,
      "assign",
      sql`json_object('tracker_id', ${tracker_id})`,
      and(wanted, sql`${task.tracker_id} IS NOT ${tracker_id}`),
    ),
    keepHistory(
      db,
      actor,
      "status_change",
      sql`json_object('status', ${status})`,
      and(wanted, sql`${task.status} <> ${status}`),
    ),
  ] as const;
}

export function assignment(tracker_id: number | null, now: number) {
  const { status } = beginning(tracker_id, now);
  return {
    tracker_id,
    status,
    status_change_date: sql`iif(${task.status} = ${status}, ${task.status_change_date}, ${now})`,
  };
}

export async function removeTask(db: Database, principal: Principal, id: number, actor: Actor) {
  const [deleted] = await db.batch([
    db.delete(task).where(isTask(principal, id)).returning({ id: task.id }),
    recording(db, actor, { is: ["task", "delete"], entry_id: id }),
    forgetHistory(db, principal.account_id, sql`${id}`),
    unbindGone(db, "task", task, [id]),
  ]);
  if (deleted.length === 0) throw new ApiError(201);
}

/** For a batch: how many things that the caller sees have these ids of other systems. */
export function countExternal(db: Database, principal: Principal, external_ids: (string | null)[]) {
  const wanted = [...new Set(external_ids.flatMap((one) => one ?? []))];
  return db
    .select({ external_id: sql<string>`${task.external_id}`, count: count() })
    .from(task)
    .where(visibleTo(principal, task, among(task.external_id, wanted), isNotNull(task.external_id)))
    .groupBy(task.external_id)
    .having(sql`count(*) > 1`);
}

export function countsOf(counts: { external_id: string; count: number }[]) {
  return counts.length > 0 ? counts : undefined;
}

/** Not there, or not visible; or somebody has worked on it. */
export function requireOpen([found]: { isOpen: boolean }[]) {
  if (!found) throw new ApiError(201);
  if (!found.isOpen) throw new ApiError(255);
}

export function isTrue(condition: SQL | undefined) {
  return sql<boolean>`(${condition})`.mapWith(Boolean);
}

function isTask(principal: Principal, id: number) {
  return ofType(principal, "task", eq(task.id, id));
}
