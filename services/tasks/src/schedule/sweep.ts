import { and, asc, getTableColumns, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { task } from "../table/task.ts";
import { type ScheduleRow, taskSchedule } from "../table/task-schedule.ts";
import { isNewToHistory, keepHistory, wholeTask } from "../task/history/record.ts";
import { dayOf, momentOn, nextRun } from "./days.ts";

/** Makes the tasks of the days that have begun. Twice at once, it makes each of them once. */
export async function sweepSchedules(db: Database, now: number) {
  for (let part = 0; part < MOST_PARTS && (await makeSome(db, now)) > 0; part++);
}

async function makeSome(db: Database, now: number) {
  const due = await db
    .select()
    .from(taskSchedule)
    .where(lte(taskSchedule.next_run, now))
    .orderBy(asc(taskSchedule.next_run))
    .limit(MADE);
  if (due.length > 0)
    await make(
      db,
      due.map((row) => runOf(row, now)),
      now,
    );
  return due.length;
}

/** What a schedule makes of the day that has begun; nothing, where that would be over already. */
function runOf({ id, next_run, time_zone, ...plan }: ScheduleRow, now: number) {
  const day = dayOf(next_run, time_zone);
  const from = momentOn(day, plan.from_time, time_zone);
  const to = from + plan.duration * MINUTE_MS;
  const deadline = to + plan.max_delay * MINUTE_MS;
  return {
    schedule_id: id,
    next_run,
    following: nextRun(plan.parameters, next_run, time_zone),
    day,
    from,
    to,
    deadline,
    is_over: deadline < now,
  };
}
type Run = ReturnType<typeof runOf>;

/** One transaction, for the schedules that nobody has run or changed since they were read. */
async function make(db: Database, runs: Run[], now: number) {
  const given = sql`json_each(${JSON.stringify(runs)}) AS run
    JOIN ${taskSchedule} ON ${taskSchedule.id} = run.value ->> 'schedule_id' AND ${taskSchedule.next_run} = run.value ->> 'next_run'`;
  const made = sql`${given} JOIN ${task} ON ${task.account_id} = ${taskSchedule.account_id}
    AND ${task.schedule_id} = ${taskSchedule.id} AND ${task.schedule_date} = run.value ->> 'day'`;
  const isNew = and(sql`${task.id} IN (SELECT ${task.id} FROM ${made})`, isNewToHistory);
  await db.batch([
    db
      .insert(task)
      .select(
        sql`SELECT ${sql.join(valuesOf(now), sql`, `)} FROM ${given} WHERE NOT run.value ->> 'is_over' ORDER BY run.key`,
      )
      .onConflictDoNothing(),
    db
      .insert(tagBinding)
      .select(
        sql`SELECT 'task', ${task.id}, own.ordinal, own.tag_id, own.account_id FROM ${made}
          JOIN ${tagBinding} AS own ON own.entity_type = 'task_schedule' AND own.entity_id = ${taskSchedule.id} WHERE TRUE`,
      )
      .onConflictDoNothing(),
    keepHistory(db, { action_date: now }, "create", wholeTask(), isNew),
    db.run(
      sql`UPDATE ${taskSchedule} SET next_run = run.value ->> 'following', revision = revision + 1 FROM json_each(${JSON.stringify(runs)}) AS run
        WHERE ${taskSchedule.id} = run.value ->> 'schedule_id' AND ${taskSchedule.next_run} = run.value ->> 'next_run'`,
    ),
  ]);
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
  const { id, from_time, duration, parameters, time_zone, next_run, ...copied } = getTableColumns(taskSchedule);
  const values: Record<string, unknown> = { ...copied, ...own };
  return Object.keys(getTableColumns(task)).map((name) => sql`${values[name] ?? null}`);
}

const MADE = 500;
/** In one sweep; the rest has its turn in the next. */
const MOST_PARTS = 10;
