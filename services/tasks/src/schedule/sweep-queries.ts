import { and, asc, getTableColumns, type SQL, sql } from "drizzle-orm";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { issueFromSource } from "../form/issue-queries.ts";
import { formTemplate } from "../table/form/form-template.ts";
import { taskSchedule } from "../table/schedule/task-schedule.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";
import { task } from "../table/task/task.ts";
import { insertHistory, isNewToHistory, selectCreationPayload } from "../task/history/record-queries.ts";
import { stops } from "./queries.ts";

/**
 * Schedules whose next day has begun, round robin over accounts, each account's longest due first. Together with their
 * checkpoints they make at most `maxTasks` tasks; the last route may exceed it.
 */
export function selectDue(db: Database, now: number, maxTasks: number) {
  const ids = selectDueByAccount({ ...WAITING_SCHEDULES, isDue: sql`next_run <= ${now}` }, maxTasks);
  const weighed = sql`SELECT due.id, due.account_id, due.next_run, 1 + (SELECT count(*) FROM ${taskSchedule} AS stop
      WHERE stop.account_id = due.account_id AND stop.parent_id = due.id) AS weight
    FROM ${taskSchedule} AS due WHERE due.id IN (${ids})`;
  const placed = sql`SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY next_run, id) AS rotation FROM (${weighed})`;
  const summed = sql`SELECT id, sum(weight) OVER (ORDER BY rotation, next_run, id) - weight AS before FROM (${placed})`;
  return db
    .select({ ...getTableColumns(taskSchedule), stops })
    .from(taskSchedule)
    .where(sql`${taskSchedule.id} IN (SELECT id FROM (${summed}) WHERE before < ${maxTasks})`)
    .orderBy(asc(taskSchedule.next_run), asc(taskSchedule.id))
    .all();
}

type Period = { schedule_id: number; from: number; to: number; deadline: number };

/** The task or route that a schedule makes for one day, and the beginning of its next day. */
export type DayRun = Omit<Period, "deadline"> & {
  /** Null for a route. */
  deadline: number | null;
  /** Read with the schedule: the run is skipped when another sweep or a change was faster. */
  next_run: number;
  revision: number;
  following: number;
  day: string;
  is_over: boolean;
  /** Limits the tasks of the account. */
  max_tasks: number;
  /** The checkpoints of a route, in their order. */
  stops: Period[];
};

/** Stores the runs in one transaction, except those of schedules that were run or changed since they were read. */
export async function storeRuns(db: Database, runs: DayRun[], now: number) {
  const eachRun = sql`json_each(${JSON.stringify(runs)}) AS run`;
  const isCurrent = sql`${taskSchedule.id} = run.value ->> 'schedule_id' AND ${taskSchedule.next_run} = run.value ->> 'next_run'
    AND ${taskSchedule.revision} = run.value ->> 'revision'`;
  const current = sql`${eachRun} JOIN ${taskSchedule} ON ${isCurrent} AND NOT ${taskSchedule.paused}`;
  const madeTasks = joinMadeTasks(runs);
  const formed = sql`${madeTasks} JOIN ${formTemplate} AS template
    ON template.id = ${taskSchedule.form_template_id} AND template.account_id = ${taskSchedule.account_id} WHERE ${isNewToHistory}`;
  await write(db, {
    inserted: db
      .insert(task)
      .select(
        sql`SELECT ${sql.join(toColumnValues(toTaskValues(now)), sql`, `)} FROM ${current} WHERE ${isWithinQuota(runs)} ORDER BY run.key`,
      )
      .onConflictDoNothing(),
    stops: insertStops(db, current, now),
    bound: db
      .insert(tagBinding)
      .select(
        sql`SELECT 'task', ${task.id}, own.ordinal, own.tag_id, own.account_id FROM ${madeTasks}
          JOIN ${tagBinding} AS own ON own.entity_type = 'task_schedule' AND own.entity_id = ${taskSchedule.id}
          WHERE ${isNewToHistory}`,
      )
      .onConflictDoNothing(),
    forms: issueFromSource(db, formed, { task_id: sql`${task.id}`, tracker_id: sql`NULL` }, now),
    history: insertHistory(
      db,
      { action_date: now },
      "create",
      selectCreationPayload(),
      and(sql`${task.id} IN (SELECT ${task.id} FROM ${madeTasks})`, isNewToHistory),
    ),
    moved: db.run(
      sql`UPDATE ${taskSchedule} SET next_run = run.value ->> 'following', revision = ${taskSchedule.revision} + 1 FROM ${eachRun}
        WHERE ${isCurrent}`,
    ),
  });
}

/** True for the first runs of an account that its limit of tasks allows; a route counts with all of its checkpoints. */
function isWithinQuota(runs: DayRun[]): SQL {
  const placed = sql`(SELECT run.key AS run_key, schedule.account_id AS owner_id, run.value ->> 'max_tasks' AS max_tasks,
      sum(1 + json_array_length(run.value, '$.stops')) OVER (PARTITION BY schedule.account_id ORDER BY run.key) AS tasks
    FROM json_each(${JSON.stringify(runs)}) AS run JOIN ${taskSchedule} AS schedule ON schedule.id = run.value ->> 'schedule_id'
    WHERE run.value ->> 'is_over' = 0)`;
  const owned = sql`(SELECT owner_id AS account_id, (SELECT count(*) FROM ${task} WHERE ${task.account_id} = owner_id) AS amount
    FROM (SELECT DISTINCT owner_id FROM ${placed}))`;
  return sql`run.key IN (SELECT run_key FROM ${placed} AS placed JOIN ${owned} AS owned ON owned.account_id = owner_id
    WHERE tasks + amount <= max_tasks)`;
}

/** Adds the checkpoints of the new routes; runs after their insert. A route that existed before gets none. */
function insertStops(db: Database, current: SQL, now: number) {
  return db
    .insert(task)
    .select(
      sql`SELECT ${sql.join(toColumnValues(toStopValues(now)), sql`, `)} FROM ${current}
        JOIN ${task} ON ${isMadeOnDay(sql`run.value ->> 'day'`)} AND ${task.type} = 'route' AND ${isNewToHistory}
        JOIN json_each(run.value, '$.stops') AS part
        JOIN ${taskSchedule} AS stop ON stop.id = part.value ->> 'schedule_id' AND stop.parent_id = ${taskSchedule.id}
        WHERE TRUE ORDER BY run.key, part.key`,
    )
    .onConflictDoNothing();
}

/** Joins the schedules, also those of checkpoints, to the tasks that they have made for their days. */
function joinMadeTasks(runs: DayRun[]): SQL {
  const stops = runs.flatMap(({ schedule_id, day, stops: parts }) =>
    [schedule_id, ...parts.map((part) => part.schedule_id)].map((id) => ({ id, day })),
  );
  return sql`json_each(${JSON.stringify(stops)}) AS thing JOIN ${taskSchedule} ON ${taskSchedule.id} = thing.value ->> 'id'
    JOIN ${task} ON ${isMadeOnDay(sql`thing.value ->> 'day'`)}`;
}

function isMadeOnDay(day: SQL): SQL {
  return sql`${task.account_id} = ${taskSchedule.account_id} AND ${task.schedule_id} = ${taskSchedule.id}
    AND ${task.schedule_date} = ${day}`;
}

type Values = Partial<Record<keyof typeof task.$inferSelect, SQL>>;

/** Values for all columns of a task, in their order; NULL for columns that are not given. */
function toColumnValues(values: Values): SQL[] {
  const valuesByName: Partial<Record<string, SQL>> = values;
  return Object.keys(getTableColumns(task)).map((name) => valuesByName[name] ?? sql`NULL`);
}

/** The values of a task or route. A route has no location. */
function toTaskValues(now: number): Values {
  const ifPlaced = (value: SQL) => sql`iif(${taskSchedule.type} = 'route', NULL, ${value})`;
  return {
    ...copyColumns("task_schedule"),
    ...initialValues(now, "run"),
    type: sql`${taskSchedule.type}`,
    location: ifPlaced(sql`${taskSchedule.location}`),
    lat: ifPlaced(sql`${taskSchedule.location} ->> 'lat'`),
    lng: ifPlaced(sql`${taskSchedule.location} ->> 'lng'`),
    address_folded: ifPlaced(sql`${taskSchedule.address_folded}`),
    tracker_id: sql`${taskSchedule.tracker_id}`,
    status: sql`iif(${taskSchedule.tracker_id} IS NULL, 'unassigned', 'assigned')`,
  };
}

/** The values of a checkpoint, which has the tracker of its new route. */
function toStopValues(now: number): Values {
  return {
    ...copyColumns("stop"),
    ...initialValues(now, "part"),
    type: sql`'checkpoint'`,
    parent_id: sql`${task.id}`,
    order: sql`stop."order"`,
    location: sql`stop.location`,
    lat: sql`stop.location ->> 'lat'`,
    lng: sql`stop.location ->> 'lng'`,
    address_folded: sql`stop.address_folded`,
    tracker_id: sql`${task.tracker_id}`,
    status: sql`${task.status}`,
  };
}

/** Columns that a task copies from its schedule; `source` is the name of the schedule's table in the query. */
function copyColumns(source: string): Values {
  return Object.fromEntries(COPIED_COLUMNS.map((name) => [name, sql.raw(`${source}.${name}`)]));
}

/** Values that every new task begins with; `part` is the JSON row of its times in the query. */
function initialValues(now: number, part: string): Values {
  const ofPart = (name: string) => sql.raw(`${part}.value ->> '${name}'`);
  return {
    from: ofPart("from"),
    to: ofPart("to"),
    deadline: ofPart("deadline"),
    schedule_id: ofPart("schedule_id"),
    schedule_date: sql`run.value ->> 'day'`,
    status_change_date: sql`${now}`,
    creation_date: sql`${now}`,
    stay_duration: sql`0`,
    origin: sql`'scheduled'`,
    revision: sql`0`,
  };
}

const COPIED_COLUMNS = [
  ...(["account_id", "label", "description", "label_folded", "description_folded"] as const),
  ...(["max_delay", "min_stay_duration", "min_arrival_duration"] as const),
];

const WAITING_SCHEDULES = {
  table: taskSchedule,
  isWaiting: sql`NOT paused AND parent_id IS NULL`,
  order: sql`next_run`,
};
