import type { AccountLimits } from "#shared/contract/gateway.ts";
import type { Database } from "#shared/database/open.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { ScheduleRow } from "../table/task-schedule.ts";
import { dayOf, momentOn, nextRun } from "./days.ts";
import { type Run, selectDue, storeRuns } from "./sweep-queries.ts";

/**
 * Makes the tasks of the days that have begun, accounts in turn. Twice at once, it makes each of them once. Where an account
 * has no room for a task any more, its day passes without.
 */
export async function sweepSchedules(db: Database, limits: AccountLimits, now: number) {
  for (let part = 0; part < MOST_PARTS && (await makeSome(db, limits, now)) > 0; part++);
}

async function makeSome(db: Database, limits: AccountLimits, now: number) {
  const due = await selectDue(db, now, MADE);
  if (due.length === 0) return 0;
  const ofAccounts = await limits.limitsOf([...new Set(due.map(({ account_id }) => account_id))]);
  const runs = due.map((schedule) => runOf(schedule, ofAccounts[schedule.account_id]?.tasks ?? 0, now));
  await storeRuns(db, runs, now);
  return runs.length;
}

function runOf({ id, next_run, time_zone, ...schedule }: ScheduleRow, most_tasks: number, now: number): Run {
  const day = dayOf(next_run, time_zone);
  const from = momentOn(day, schedule.from_time, time_zone);
  const to = from + schedule.duration * MINUTE_MS;
  const deadline = to + schedule.max_delay * MINUTE_MS;
  const following = nextRun(schedule.parameters, next_run, time_zone);
  return { schedule_id: id, next_run, following, day, from, to, deadline, is_over: deadline < now, most_tasks };
}

const MADE = 500;
/** In one sweep; the rest has its turn in the next. */
const MOST_PARTS = 10;
