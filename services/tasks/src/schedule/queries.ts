import { and, asc, eq, getTableColumns, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { mentions } from "#shared/database/mentions.ts";
import type { Database } from "#shared/database/open.ts";
import { demandRoom } from "#shared/database/room.ts";
import { isThere, only } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, outdated, write } from "#shared/database/steps.ts";
import { inOrder } from "#shared/database/tag-binding/queries.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { demandTemplates } from "../form/issue-queries.ts";
import { demandTracker } from "../links/tracker-queries.ts";
import { recording } from "../outbox/audit.ts";
import { formTemplate } from "../table/form-template.ts";
import { taskSchedule } from "../table/task-schedule.ts";
import { bindNew, carriesAll, demandTags, rebind, tagsOf, unbindRemoved } from "../tag-binding/queries.ts";
import { columnsOf, type NewSchedule, type Schedule, toSchedule } from "./schema.ts";
import { checkZone } from "./zone-queries.ts";

export async function insertSchedule(db: Database, principal: Principal, schedule: NewSchedule, actor: Actor) {
  const tags = inOrder(schedule.tags);
  const row = { ...columnsOf(schedule, principal, actor.action_date), account_id: principal.account_id };
  const { inserted } = await write(db, {
    hasTracker: demandTracker(schedule.tracker_id, 201),
    areTags: demandTags("schedule", tags),
    hasTemplate: demandTemplates(principal, [schedule.form_template_id], unknownTemplate),
    room: demandRoom(principal, "schedules", taskSchedule),
    inserted: db.insert(taskSchedule).values(row).returning({ id: taskSchedule.id }),
    recorded: recording(db, actor, {
      is: ["task_schedule", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: summaryOf(schedule),
    }),
    bound: bindNew(db, principal, "task_schedule", taskSchedule, tags),
    checked: checkZone(db, principal),
  });
  return only(inserted).id;
}

/** The schedule with what is ours alone, for whoever is to change it. */
export async function requireCurrent(db: Database, principal: Principal, id: number) {
  const [row] = await db
    .select({ ...shown, ...OURS })
    .from(taskSchedule)
    .where(visibleTo(principal, taskSchedule, eq(taskSchedule.id, id)));
  if (!row) throw new ApiError(204);
  return row;
}

type Change = {
  row: Awaited<ReturnType<typeof requireCurrent>>;
  members: NewSchedule;
  tags: number[] | undefined;
  paused: boolean;
};

/** As long as it is as it was read. Without tags those that it carries stay; so do the tasks that it has made. */
export async function changeSchedule(
  db: Database,
  principal: Principal,
  { row, members, tags: given, paused }: Change,
  actor: Actor,
) {
  const { id, revision, tracker_id } = row;
  const own = visibleTo(principal, taskSchedule, eq(taskSchedule.id, id));
  const tags = given && inOrder(given);
  const { next_run, time_zone, ...columns } = columnsOf(members, principal, actor.action_date);
  // With the same days it goes on as it was going to: today's task may be about to be made.
  const isSame = JSON.stringify(members.parameters) === JSON.stringify(row.parameters) && paused === row.paused;
  const run = isSame ? { next_run: row.next_run, time_zone: row.time_zone } : { next_run, time_zone };
  await write(db, {
    isCurrent: demand(isThere(taskSchedule, and(own, eq(taskSchedule.revision, revision))), outdated),
    hasTracker: members.tracker_id === tracker_id ? undefined : demandTracker(members.tracker_id, 201),
    areTags: tags && demandTags("schedule", tags),
    hasTemplate: demandTemplates(principal, [members.form_template_id], unknownTemplate),
    updated: db
      .update(taskSchedule)
      .set({ ...columns, ...run, paused })
      .where(own),
    recorded: recording(db, actor, { is: ["task_schedule", "update"], entry_id: id, payload: summaryOf(members) }),
    checked: checkZone(db, principal),
    bound: tags && rebind(db, principal, "task_schedule", id, tags),
  });
}

export async function removeSchedule(db: Database, principal: Principal, id: number, actor: Actor) {
  await write(db, {
    removed: db.delete(taskSchedule).where(visibleTo(principal, taskSchedule, eq(taskSchedule.id, id))),
    isRemoved: demandChange(() => new ApiError(201)),
    recorded: recording(db, actor, { is: ["task_schedule", "delete"], entry_id: id }),
    unbound: unbindRemoved(db, "task_schedule", taskSchedule, [id]),
  });
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
  const { label_folded, description_folded } = taskSchedule;
  return and(
    ofTrackers ?? undefined,
    filter ? or(mentions(label_folded, filter), mentions(description_folded, filter)) : undefined,
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

function unknownTemplate() {
  return new ApiError(204);
}

/** For the audit log. */
function summaryOf({ label, tracker_id }: NewSchedule) {
  return { label, tracker_id };
}

const { revision, time_zone, next_run, label_folded, description_folded, address_folded, ...ofRow } =
  getTableColumns(taskSchedule);
/** What callers see of a schedule, with its tags. */
const shown = {
  ...ofRow,
  // Null where the template is no more.
  form_template_id: sql<
    number | null
  >`(SELECT template.id FROM ${formTemplate} AS template WHERE template.id = "task_schedule"."form_template_id")`,
  tags: tagsOf("task_schedule", taskSchedule.id),
};
const OURS = { revision, time_zone, next_run };
/** Some 5 MB of answer at the most. */
const PAGE = 500;
