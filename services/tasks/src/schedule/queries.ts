import { and, asc, eq, getTableColumns, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { mentions } from "#shared/database/mentions.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, outdatedError, write } from "#shared/database/steps.ts";
import { toBindings } from "#shared/database/tag-binding/queries.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type Page, pageAfter } from "#shared/operation/list-answer.ts";
import { demandTemplates } from "../form/issue-queries.ts";
import { demandTracker } from "../links/tracker-queries.ts";
import { recordChange } from "../outbox/audit.ts";
import { formTemplate } from "../table/form/form-template.ts";
import { type ScheduleRow, taskSchedule } from "../table/schedule/task-schedule.ts";
import {
  carriesAll,
  deleteRemovedBindings,
  demandTags,
  insertBindings,
  replaceBindings,
  tagsOf,
} from "../tag-binding/queries.ts";
import { type NewSchedule, type PublicSchedule, toColumns } from "./schema.ts";
import { markOutdatedZone } from "./zone-queries.ts";

export async function insertSchedule(db: Database, principal: Principal, schedule: NewSchedule, actor: Actor) {
  const tags = toBindings(schedule.tags);
  const row = { ...toColumns(schedule, principal, actor.action_date), account_id: principal.account_id };
  const { inserted } = await write(db, {
    hasTracker: demandTracker(schedule.tracker_id, 201),
    areTags: demandTags("schedule", tags),
    hasTemplate: demandTemplates(principal, [schedule.form_template_id], unknownTemplateError),
    quota: demandQuota(principal, "schedules", taskSchedule),
    inserted: db.insert(taskSchedule).values(row).returning({ id: taskSchedule.id }),
    recorded: recordChange(db, actor, {
      is: ["task_schedule", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: summaryOf(schedule),
    }),
    bound: insertBindings(db, principal, "task_schedule", taskSchedule, tags),
    checked: markOutdatedZone(db, principal),
  });
  return onlyRow(inserted).id;
}

/** The schedule with its internal columns, for changing it. */
export async function requireForUpdate(db: Database, principal: Principal, id: number) {
  const [row] = await db
    .select({ ...scheduleColumns, ...PRIVATE_COLUMNS })
    .from(taskSchedule)
    .where(isSchedule(principal, id));
  if (!row) throw new ApiError(204);
  return row;
}

type ScheduleChange = {
  row: Awaited<ReturnType<typeof requireForUpdate>>;
  members: NewSchedule;
  tags: number[] | undefined;
  paused: boolean;
};

/**
 * Changes the schedule if its revision is the one that was read. `tags` undefined leaves the tags; tasks made from it
 * stay.
 */
export async function changeSchedule(
  db: Database,
  principal: Principal,
  { row, members, tags: given, paused }: ScheduleChange,
  actor: Actor,
) {
  const { id, revision, tracker_id } = row;
  const own = isSchedule(principal, id);
  const tags = given && toBindings(given);
  const { next_run, time_zone, ...columns } = toColumns(members, principal, actor.action_date);
  const run = resolveNextRun(row, { parameters: members.parameters, paused, next_run, time_zone });
  await write(db, {
    isCurrent: demand(isThere(taskSchedule, and(own, eq(taskSchedule.revision, revision))), outdatedError),
    hasTracker: members.tracker_id === tracker_id ? undefined : demandTracker(members.tracker_id, 201),
    areTags: tags && demandTags("schedule", tags),
    hasTemplate: demandTemplates(principal, [members.form_template_id], unknownTemplateError),
    updated: db
      .update(taskSchedule)
      .set({ ...columns, ...run, paused })
      .where(own),
    recorded: recordChange(db, actor, { is: ["task_schedule", "update"], entry_id: id, payload: summaryOf(members) }),
    checked: markOutdatedZone(db, principal),
    bound: tags && replaceBindings(db, principal, "task_schedule", id, tags),
  });
}

type RunColumns = Pick<ScheduleRow, "parameters" | "paused" | "next_run" | "time_zone">;

/** Keeps the next run unless the days or the pause change: today's task may be about to be made. */
export function resolveNextRun(row: RunColumns, { parameters, paused, next_run, time_zone }: RunColumns) {
  const isSame = JSON.stringify(parameters) === JSON.stringify(row.parameters) && paused === row.paused;
  return isSame ? { next_run: row.next_run, time_zone: row.time_zone } : { next_run, time_zone };
}

export async function removeSchedule(db: Database, principal: Principal, id: number, actor: Actor) {
  await write(db, {
    removed: db.delete(taskSchedule).where(isSchedule(principal, id)),
    isRemoved: demandChange(() => new ApiError(201)),
    recorded: recordChange(db, actor, { is: ["task_schedule", "delete"], entry_id: id }),
    unbound: deleteRemovedBindings(db, "task_schedule", taskSchedule, [id]),
  });
}

export type Filters = {
  types: (typeof LISTED_TYPES)[number][];
  trackers: number[] | null;
  filter: string | null;
  tag_ids: number[] | null;
};

/** Types that lists show; checkpoints come with their routes. */
export const LISTED_TYPES = ["task", "route"] as const;

/** Filters that are not given restrict nothing. A filter by trackers includes schedules without a tracker. */
export function matchFilters(principal: Principal, { types, trackers, filter, tag_ids }: Filters): SQL | undefined {
  const ofTrackers = trackers && or(among(taskSchedule.tracker_id, trackers), isNull(taskSchedule.tracker_id));
  const { label_folded, description_folded } = taskSchedule;
  return and(
    inArray(taskSchedule.type, types),
    ofTrackers ?? undefined,
    filter ? or(mentions(label_folded, filter), mentions(description_folded, filter)) : undefined,
    tag_ids && tag_ids.length > 0 ? carriesAll(principal, "task_schedule", taskSchedule.id, tag_ids) : undefined,
  );
}

/** A checkpoint of a planned route. */
export type PlannedStop = Pick<ScheduleRow, "id" | "from_time" | "duration" | "max_delay">;
export type PlannedSchedule = PublicSchedule & Pick<ScheduleRow, "time_zone" | "next_run"> & { stops: PlannedStop[] };

/**
 * Schedules with the time of their next run, by id. Pages are small, because each schedule stands for a proposal on up
 * to each of the `days`.
 */
export async function selectPlanned(
  db: Database,
  principal: Principal,
  { condition, days, after = 0 }: { condition: SQL | undefined; days: number; after?: number },
): Promise<Page<PlannedSchedule>> {
  const size = Math.max(1, Math.floor(MAX_PROPOSALS_PER_PAGE / Math.max(days, 1)));
  const rows = await db
    .select({ ...scheduleColumns, time_zone, next_run, stops })
    .from(taskSchedule)
    .where(visibleTo(principal, taskSchedule, gt(taskSchedule.id, after), condition))
    .orderBy(asc(taskSchedule.id))
    .limit(size);
  return pageAfter(rows, {
    size,
    toItem: (row) => row,
    next: (last) => selectPlanned(db, principal, { condition, days, after: last }),
  });
}

export function unknownTemplateError() {
  return new ApiError(204);
}

function isSchedule(principal: Principal, id: number) {
  return visibleTo(principal, taskSchedule, eq(taskSchedule.type, "task"), eq(taskSchedule.id, id));
}

/** The payload of an audit entry. */
function summaryOf({ label, tracker_id }: NewSchedule) {
  return { label, tracker_id };
}

const { revision, time_zone, next_run, label_folded, description_folded, address_folded, ...plainColumns } =
  getTableColumns(taskSchedule);
/** The checkpoints of a route's schedule, in their order. */
export const stops = sql<PlannedStop[]>`(SELECT json_group_array(json_object('id', id, 'from_time', from_time,
  'duration', duration, 'max_delay', max_delay)) FROM (SELECT * FROM ${taskSchedule} AS stop
  WHERE stop.account_id = "task_schedule"."account_id" AND stop.parent_id = "task_schedule"."id" ORDER BY stop."order"))`.mapWith(
  (json: string): PlannedStop[] => JSON.parse(json),
);
/** The columns of a schedule that callers see, with its tags. */
export const scheduleColumns = {
  ...plainColumns,
  // Null after the template was deleted.
  form_template_id: sql<
    number | null
  >`(SELECT template.id FROM ${formTemplate} AS template WHERE template.id = "task_schedule"."form_template_id")`,
  tags: tagsOf("task_schedule", taskSchedule.id),
};
/** Columns that callers never see. */
export const PRIVATE_COLUMNS = { revision, time_zone, next_run };
const MAX_PROPOSALS_PER_PAGE = 3000;
