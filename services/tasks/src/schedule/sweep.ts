import type { AccountLimits } from "#shared/contract/gateway.ts";
import type { Database } from "#shared/database/open.ts";
import { toDay } from "#shared/time/schedule-days.ts";
import { findNextRun } from "./days.ts";
import { toPeriod, toRoutePeriod } from "./period.ts";
import { type DayRun, selectDue, storeRuns } from "./sweep-queries.ts";

/**
 * Makes the tasks and routes of days that have begun, round robin over accounts. Safe to run twice at once. A day
 * passes without a task when the account's limit does not allow it, or not all checkpoints of a route.
 */
export async function sweepSchedules(db: Database, limits: AccountLimits, now: number) {
  for (let index = 0; index < MAX_TRANSACTIONS_PER_SWEEP && (await makeBatch(db, limits, now)) > 0; index++);
}

async function makeBatch(db: Database, limits: AccountLimits, now: number) {
  const due = await selectDue(db, now, MAX_TASKS_PER_TRANSACTION);
  if (due.length === 0) return 0;
  const ofAccounts = await limits.limitsOf([...new Set(due.map(({ account_id }) => account_id))]);
  const runs = due.map((schedule) => toDayRun(schedule, ofAccounts[schedule.account_id]?.tasks ?? 0, now));
  await storeRuns(db, runs, now);
  return runs.length;
}

type DueSchedule = Awaited<ReturnType<typeof selectDue>>[number];

function toDayRun(
  { id, revision, next_run, time_zone, type, stops, ...schedule }: DueSchedule,
  max_tasks: number,
  now: number,
): DayRun {
  const day = toDay(next_run, time_zone);
  const following = findNextRun(schedule.parameters, next_run, time_zone);
  const isRoute = type === "route";
  const stopSchedules = isRoute ? stops : [{ ...schedule, id }];
  const periods = stopSchedules.map((part) => ({ schedule_id: part.id, ...toPeriod(day, part, time_zone) }));
  const latest = Math.max(...periods.map(({ deadline }) => deadline));
  return {
    ...{ schedule_id: id, next_run, revision, following, day, ...toRoutePeriod(periods), max_tasks },
    deadline: isRoute ? null : latest,
    is_over: latest < now,
    stops: isRoute ? periods : [],
  };
}

/** The last route of a transaction may exceed it. */
const MAX_TASKS_PER_TRANSACTION = 500;
/** Bounds one sweep; the next one goes on. */
const MAX_TRANSACTIONS_PER_SWEEP = 20;
