import { and, asc, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { inTurn } from "#shared/database/turns.ts";
import { issueFrom } from "../form/issue-queries.ts";
import { formTemplate } from "../table/form-template.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { task } from "../table/task.ts";
import { taskSchedule } from "../table/task-schedule.ts";
import { isNewToHistory, keepHistory, wholeTask } from "../task/history/record-queries.ts";

/** Those whose day has begun, accounts in turn, of each the longest ago first. */
export function selectDue(db: Database, now: number, most: number) {
  const ids = inTurn({ ...WAITING, isDue: sql`next_run <= ${now}` }, most);
  return db
    .select()
    .from(taskSchedule)
    .where(sql`${taskSchedule.id} IN (${ids})`)
    .orderBy(asc(taskSchedule.next_run), asc(taskSchedule.id))
    .all();
}

/** What a schedule makes of a day, if that is not over, and when its next day begins. */
export type Run = {
  schedule_id: number;
  /** As it was read: who finds another one here has been outrun. */
  next_run: number;
  following: number;
  day: string;
  from: number;
  to: number;
  deadline: number;
  is_over: boolean;
  /** How many tasks the account may own. */
  most_tasks: number;
};

/** One transaction, for the schedules that nobody has run or changed since they were read. */
export async function storeRuns(db: Database, runs: Run[], now: number) {
  const current = sql`json_each(${JSON.stringify(runs)}) AS run
    JOIN ${taskSchedule} ON ${taskSchedule.id} = run.value ->> 'schedule_id' AND ${taskSchedule.next_run} = run.value ->> 'next_run' AND NOT ${taskSchedule.paused}`;
  const isMade = sql`run.value ->> 'is_over' = 0`;
  // Of those of an account the first ones, for which it has room.
  const placed = sql`(SELECT run.key AS run_key, schedule.account_id AS owner_id, run.value ->> 'most_tasks' AS most,
      row_number() OVER (PARTITION BY schedule.account_id ORDER BY run.key) AS place
    FROM json_each(${JSON.stringify(runs)}) AS run JOIN ${taskSchedule} AS schedule ON schedule.id = run.value ->> 'schedule_id' WHERE ${isMade})`;
  const owned = sql`(SELECT owner_id AS account_id, (SELECT count(*) FROM ${task} WHERE ${task.account_id} = owner_id) AS amount
    FROM (SELECT DISTINCT owner_id FROM ${placed}))`;
  const hasRoom = sql`run.key IN (SELECT run_key FROM ${placed} AS placed JOIN ${owned} AS owned ON owned.account_id = owner_id
    WHERE place + amount <= most)`;
  const made = sql`${current} JOIN ${task} ON ${task.account_id} = ${taskSchedule.account_id}
    AND ${task.schedule_id} = ${taskSchedule.id} AND ${task.schedule_date} = run.value ->> 'day'`;
  const isNew = and(sql`${task.id} IN (SELECT ${task.id} FROM ${made})`, isNewToHistory);
  const formed = sql`${made} JOIN ${formTemplate} AS template
    ON template.id = ${taskSchedule.form_template_id} AND template.account_id = ${taskSchedule.account_id} WHERE TRUE`;
  await write(db, {
    inserted: db
      .insert(task)
      .select(sql`SELECT ${sql.join(valuesOf(now), sql`, `)} FROM ${current} WHERE ${hasRoom} ORDER BY run.key`)
      .onConflictDoNothing(),
    bound: db
      .insert(tagBinding)
      .select(
        sql`SELECT 'task', ${task.id}, own.ordinal, own.tag_id, own.account_id FROM ${made}
          JOIN ${tagBinding} AS own ON own.entity_type = 'task_schedule' AND own.entity_id = ${taskSchedule.id} WHERE TRUE`,
      )
      .onConflictDoNothing(),
    history: keepHistory(db, { action_date: now }, "create", wholeTask(), isNew),
    forms: issueFrom(db, formed, { task_id: sql`${task.id}`, tracker_id: sql`NULL` }, now),
    moved: db.run(
      sql`UPDATE ${taskSchedule} SET next_run = run.value ->> 'following', revision = revision + 1 FROM json_each(${JSON.stringify(runs)}) AS run
        WHERE ${taskSchedule.id} = run.value ->> 'schedule_id' AND ${taskSchedule.next_run} = run.value ->> 'next_run'`,
    ),
  });
}

/** The columns of a task, in their order: what is not named has none. */
function valuesOf(now: number): SQL[] {
  const own: Partial<Record<keyof typeof task.$inferSelect, SQL>> = {
    type: sql`'task'`,
    lat: sql`${taskSchedule.location} ->> 'lat'`,
    lng: sql`${taskSchedule.location} ->> 'lng'`,
    from: sql`run.value ->> 'from'`,
    to: sql`run.value ->> 'to'`,
    deadline: sql`run.value ->> 'deadline'`,
    status: sql`iif(${taskSchedule.tracker_id} IS NULL, 'unassigned', 'assigned')`,
    status_change_date: sql`${now}`,
    creation_date: sql`${now}`,
    stay_duration: sql`0`,
    origin: sql`'scheduled'`,
    schedule_id: sql`${taskSchedule.id}`,
    schedule_date: sql`run.value ->> 'day'`,
    revision: sql`0`,
  };
  const { id, from_time, duration, parameters, time_zone, next_run, paused, ...copied } = getTableColumns(taskSchedule);
  const values: Record<string, unknown> = { ...copied, ...own };
  return Object.keys(getTableColumns(task)).map((name) => sql`${values[name] ?? null}`);
}

const WAITING = { table: taskSchedule, isWaiting: sql`NOT paused`, order: sql`next_run` };
