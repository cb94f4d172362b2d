import type { AccountLimits } from "#shared/contract/gateway.ts";
import type { Database } from "#shared/database/open.ts";
import { dayOf, nextRun } from "./days.ts";
import { frameOf, periodOn } from "./period.ts";
import { type Run, selectDue, storeRuns } from "./sweep-queries.ts";

/**
 * Makes the tasks and routes of the days that have begun, accounts in turn. Twice at once, it makes each of them once. Where an
 * account has no room for one any more, a route with all of its checkpoints, its day passes without.
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

type Due = Awaited<ReturnType<typeof selectDue>>[number];

function runOf(
  { id, revision, next_run, time_zone, type, stops, ...schedule }: Due,
  most_tasks: number,
  now: number,
): Run {
  const day = dayOf(next_run, time_zone);
  const following = nextRun(schedule.parameters, next_run, time_zone);
  const isRoute = type === "route";
  const parts = isRoute ? stops : [{ ...schedule, id }];
  const periods = parts.map((part) => ({ schedule_id: part.id, ...periodOn(day, part, time_zone) }));
  const latest = Math.max(...periods.map(({ deadline }) => deadline));
  return {
    ...{ schedule_id: id, next_run, revision, following, day, ...frameOf(periods), most_tasks },
    deadline: isRoute ? null : latest,
    is_over: latest < now,
    stops: isRoute ? periods : [],
  };
}

/** In one transaction; a route may be beyond. */
const MADE = 500;
/** In one sweep; the rest has its turn in the next. */
const MOST_PARTS = 20;
