import { and, asc, count, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { only } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { noneRemoved } from "#shared/database/tag-binding/owner.ts";
import { inOrder } from "#shared/database/tag-binding/queries.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { type Part, pageAt } from "#shared/operation/list-answer.ts";
import { unknownTag } from "../../links/require.ts";
import { recording } from "../../outbox/audit.ts";
import { removedTag } from "../../table/removed-tag.ts";
import { ofRow, task } from "../../table/task.ts";
import { bindNew, rebind, unbindGone } from "../../tag-binding/queries.ts";
import { changedMembers, forgetHistory, isNewToHistory, keepHistory, wholeTask } from "../history/record.ts";
import { countExternal, countsOf, isOpen, isTrue, newest, requireOpen } from "../queries.ts";
import { columnsOf, type Given } from "../schema.ts";
import { ofType, PAGE, shown } from "../select.ts";
import { failWithout } from "../sweep.ts";
import { checkpointCount, hasBegun, inFrontOf, MOST_CHECKPOINTS, settleRoute } from "./order.ts";
import { toCheckpoint } from "./schema.ts";

type Placed = { parent_id: number; order: number };

/** It has the tracker of its route, which must not be one of those that lack the feature. */
export async function insertCheckpoint(
  db: Database,
  principal: Principal,
  { parent_id, order, ...given }: Given & Placed,
  lacking: number[],
  actor: Actor,
) {
  const tags = inOrder(given.tags);
  const found = ofType(principal, "route", eq(task.id, parent_id));
  const hasFeature = sql`(${task.tracker_id} IS NULL OR NOT ${among(task.tracker_id, lacking)})`;
  const hasRoom = sql`${checkpointCount} < ${MOST_CHECKPOINTS}`;
  const usable = and(found, isOpen, hasFeature, hasRoom, noneRemoved(removedTag, tags));
  const values = valuesOf(columnsOf(given), order, actor.action_date);
  const isNew = ofType(principal, "checkpoint", eq(task.id, newest), isNewToHistory);
  const [[inserted], , , , , , , , , [known], counts] = await db.batch([
    db
      .insert(task)
      .select(sql`SELECT ${sql.join(values, sql`, `)} FROM ${task} WHERE ${usable}`)
      .returning({ id: task.id }),
    recording(db, actor, {
      is: ["checkpoint", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: given.label, route_id: parent_id },
    }),
    bindNew(db, principal, "task", task, tags),
    ...settleRoute(db, principal, sql`${parent_id}`),
    keepHistory(db, actor, "create", wholeTask(), isNew),
    db
      .select({ isOpen: isTrue(isOpen), hasFeature: isTrue(hasFeature), hasRoom: isTrue(hasRoom) })
      .from(task)
      .where(found),
    countExternal(db, principal, [given.external_id]),
  ]);
  if (inserted) return { id: inserted.id, external_id_counts: countsOf(counts) };
  if (!known) throw new ApiError(201);
  if (!known.hasFeature) throw new ApiError(236);
  if (!known.isOpen) throw invalid("task.parent_id", "is a route that has ended");
  if (!known.hasRoom) throw invalid("task.parent_id", `is a route with ${MOST_CHECKPOINTS} checkpoints`);
  throw unknownTag("task");
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

type Changed = Given & { id: number; order?: number };

export async function changeCheckpoint(
  db: Database,
  principal: Principal,
  { id, order, ...given }: Changed,
  actor: Actor,
) {
  const tags = inOrder(given.tags);
  const found = isCheckpoint(principal, id);
  const changeable = and(found, isOpen, noneRemoved(removedTag, tags));
  const members = { ...given, tags: tags.map(({ tag_id }) => tag_id), ...(order === undefined ? {} : { order }) };
  // In front of the one that stands there, or behind it, as it moves back or on.
  const place = order === undefined ? sql`${task.order}` : sql`${order} + 0.5 * sign(${order} - ${task.order})`;
  const [, updated, , , , , , , , , known, counts] = await db.batch([
    keepHistory(db, actor, "update", changedMembers(members), changeable),
    db
      .update(task)
      .set({ ...columnsOf(given), order: place })
      .where(changeable)
      .returning({ id: task.id }),
    recording(db, actor, { is: ["checkpoint", "update"], entry_id: id, payload: { label: given.label } }),
    ...rebind(db, principal, "task", id, tags, sql`EXISTS (SELECT 1 FROM ${task} WHERE ${changeable})`),
    ...settleRoute(db, principal, sql`(SELECT ${task.parent_id} FROM ${task} WHERE ${found})`),
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

/** With its last checkpoint a route goes too. */
export async function removeCheckpoint(db: Database, principal: Principal, id: number, actor: Actor) {
  const found = isCheckpoint(principal, id);
  const [, , , , , , , , deleted, , , , known] = await db.batch([
    ...leaveRoute(db, principal, and(found, isOpen)),
    ...failWithout(db, actor.action_date, sql`SELECT ${task.id} FROM ${task} WHERE ${and(found, isOpen)}`),
    db.delete(task).where(and(found, isOpen)).returning({ id: task.id }),
    recording(db, actor, { is: ["checkpoint", "delete"], entry_id: id }),
    forgetHistory(db, principal.account_id, sql`${id}`),
    unbindGone(db, "task", task, [id]),
    db
      .select({ isOpen: isTrue(isOpen) })
      .from(task)
      .where(found),
  ]);
  if (deleted.length === 0) requireOpen(known);
}

/** Becomes a task with the tracker that it has; with its last checkpoint a route goes. */
export async function turnIntoTask(db: Database, principal: Principal, id: number, actor: Actor) {
  const found = isCheckpoint(principal, id);
  const isFree = sql`NOT ${hasBegun(ofRow.parent_id)}`;
  const [, , , , , , changed, , known] = await db.batch([
    keepHistory(db, actor, "update", sql`json_object('type', 'task')`, and(found, isFree)),
    ...leaveRoute(db, principal, and(found, isFree)),
    db
      .update(task)
      .set({ type: "task", parent_id: null, order: null })
      .where(and(found, isFree))
      .returning({ id: task.id }),
    recording(db, actor, { is: ["checkpoint", "transmute"], entry_id: id }),
    db
      .select({ isOpen: isTrue(isFree) })
      .from(task)
      .where(found),
  ]);
  if (changed.length === 0) requireOpen(known);
}

export async function requireCheckpoint(db: Database, principal: Principal, id: number) {
  const [row] = await db.select(shown).from(task).where(isCheckpoint(principal, id));
  if (!row) throw new ApiError(201);
  return toCheckpoint(row);
}

/** Those of the ids, by id; the first page with the count of all, then page after page. */
export async function selectCheckpoints(db: Database, principal: Principal, ids: number[]) {
  const wanted = ofType(principal, "checkpoint", among(task.id, ids));
  const read = ({ offset }: Part) =>
    db.select(shown).from(task).where(wanted).orderBy(asc(task.id)).limit(PAGE).offset(offset);
  const [rows, counted] = await db.batch([read({ offset: 0 }), db.select({ count: count() }).from(task).where(wanted)]);
  const reading = { size: PAGE, read: async (part: Part) => read(part), toItem: toCheckpoint };
  return { count: only(counted).count, page: pageAt(rows, { offset: 0 }, reading) };
}

/** In front of the statement that takes the checkpoint away. */
function leaveRoute(db: Database, principal: Principal, leaving: SQL | undefined) {
  const of = (column: SQL) => sql`(SELECT ${column} FROM ${task} WHERE ${leaving})`;
  return settleRoute(db, principal, of(sql`${task.parent_id}`), of(sql`${task.id}`));
}

function isCheckpoint(principal: Principal, id: number) {
  return ofType(principal, "checkpoint", eq(task.id, id));
}
