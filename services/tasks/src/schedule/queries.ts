import { and, asc, eq, getTableColumns, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { rowIf } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { noneRemoved } from "#shared/database/tag-binding/owner.ts";
import { inOrder } from "#shared/database/tag-binding/queries.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { anywhere } from "#shared/text/folded.ts";
import { unknownTag } from "../links/require.ts";
import { recording } from "../outbox/audit.ts";
import { removedTag } from "../table/removed-tag.ts";
import { taskSchedule } from "../table/task-schedule.ts";
import { bindNew, carriesAll, rebind, tagsOf, unbindGone } from "../tag-binding/queries.ts";
import { columnsOf, type NewSchedule, type Schedule, toSchedule } from "./schema.ts";

export async function insertSchedule(db: Database, principal: Principal, given: NewSchedule, actor: Actor) {
  const tags = inOrder(given.tags);
  const row = { ...columnsOf(given, principal, actor.action_date), account_id: principal.account_id };
  const [[inserted]] = await db.batch([
    db
      .insert(taskSchedule)
      .select(rowIf(taskSchedule, row, noneRemoved(removedTag, tags)))
      .returning({ id: taskSchedule.id }),
    recording(db, actor, {
      is: ["task_schedule", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: summaryOf(given),
    }),
    bindNew(db, principal, "task_schedule", taskSchedule, tags),
  ]);
  if (!inserted) throw unknownTag("schedule");
  return inserted.id;
}

/** The tasks that it has made stay as they are. */
export async function changeSchedule(
  db: Database,
  principal: Principal,
  { id, ...given }: NewSchedule & { id: number },
  actor: Actor,
) {
  const tags = inOrder(given.tags);
  const found = visibleTo(principal, taskSchedule, eq(taskSchedule.id, id));
  const changeable = and(found, noneRemoved(removedTag, tags));
  const { next_run, ...columns } = columnsOf(given, principal, actor.action_date);
  // With the same days it goes on as it was going to: today's task may be about to be made.
  const isSame = sql`${taskSchedule.parameters} = ${JSON.stringify(given.parameters)} AND ${taskSchedule.time_zone} = ${columns.time_zone}`;
  const [updated, , , , known] = await db.batch([
    db
      .update(taskSchedule)
      .set({ ...columns, next_run: sql`iif(${isSame}, ${taskSchedule.next_run}, ${next_run})` })
      .where(changeable)
      .returning({ id: taskSchedule.id }),
    recording(db, actor, { is: ["task_schedule", "update"], entry_id: id, payload: summaryOf(given) }),
    // The caller sees its tracker, so it sees the schedule still.
    ...rebind(
      db,
      principal,
      "task_schedule",
      id,
      tags,
      sql`EXISTS (SELECT 1 FROM ${taskSchedule} WHERE ${changeable})`,
    ),
    db.select({ id: taskSchedule.id }).from(taskSchedule).where(found),
  ]);
  if (known.length === 0) throw new ApiError(204);
  if (updated.length === 0) throw unknownTag("schedule");
}

export async function removeSchedule(db: Database, principal: Principal, id: number, actor: Actor) {
  const [deleted] = await db.batch([
    db
      .delete(taskSchedule)
      .where(visibleTo(principal, taskSchedule, eq(taskSchedule.id, id)))
      .returning({ id: taskSchedule.id }),
    recording(db, actor, { is: ["task_schedule", "delete"], entry_id: id }),
    unbindGone(db, "task_schedule", taskSchedule, [id]),
  ]);
  if (deleted.length === 0) throw new ApiError(201);
}

export async function requireSchedule(db: Database, principal: Principal, id: number) {
  const [row] = await db
    .select(shown)
    .from(taskSchedule)
    .where(visibleTo(principal, taskSchedule, eq(taskSchedule.id, id)));
  if (!row) throw new ApiError(201);
  return toSchedule(row);
}

export type Filters = { trackers: number[] | null; filter: string | null; tag_ids: number[] | null };

/** What is not given is not asked for; schedules of no tracker are among those of whichever trackers. */
export function matchingFilters(principal: Principal, { trackers, filter, tag_ids }: Filters): SQL | undefined {
  const ofTrackers = trackers && or(among(taskSchedule.tracker_id, trackers), isNull(taskSchedule.tracker_id));
  const pattern = anywhere(filter ?? "");
  const like = (column: SQL) => sql`${column} LIKE ${pattern} ESCAPE '\\'`;
  return and(
    ofTrackers ?? undefined,
    filter ? or(like(sql`${taskSchedule.label_folded}`), like(sql`${taskSchedule.description_folded}`)) : undefined,
    tag_ids && tag_ids.length > 0 ? carriesAll(principal, "task_schedule", taskSchedule.id, tag_ids) : undefined,
  );
}

/** By id, page after page. */
export async function selectSchedules(
  db: Database,
  principal: Principal,
  condition: SQL | undefined,
  after = 0,
): Promise<Page<Schedule>> {
  const rows = await db
    .select(shown)
    .from(taskSchedule)
    .where(visibleTo(principal, taskSchedule, gt(taskSchedule.id, after), condition))
    .orderBy(asc(taskSchedule.id))
    .limit(PAGE);
  const last = rows.at(-1);
  const full = rows.length === PAGE && last;
  return {
    items: rows.map(toSchedule),
    next: full ? () => selectSchedules(db, principal, condition, last.id) : undefined,
  };
}

/** For the audit log. */
function summaryOf({ label, tracker_id }: NewSchedule) {
  return { label, tracker_id };
}

const { revision, time_zone, next_run, label_folded, description_folded, address_folded, ...ofRow } =
  getTableColumns(taskSchedule);
/** What callers see of a schedule, with its tags. */
const shown = { ...ofRow, tags: tagsOf("task_schedule", taskSchedule.id) };
/** Some 5 MB of answer at the most. */
const PAGE = 500;
