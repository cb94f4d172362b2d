import { and, asc, eq, ne, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { AccountZone } from "#shared/contract/tasks.ts";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { startOfDay, toDay } from "#shared/time/schedule-days.ts";
import { accountZone } from "../table/schedule/account-zone.ts";
import { taskSchedule } from "../table/schedule/task-schedule.ts";

/** Stores time zones of accounts; a message with a lower revision than the stored one is ignored. */
export async function storeZones(db: Database, zones: AccountZone[]) {
  if (zones.length === 0) return;
  await write(db, {
    remembered: db
      .insert(accountZone)
      .values(zones.map((zone) => ({ ...zone, pending: true })))
      .onConflictDoUpdate({
        target: accountZone.account_id,
        set: {
          time_zone: sql`excluded.time_zone`,
          revision: sql`excluded.revision`,
          pending: sql`TRUE`,
        },
        setWhere: sql`excluded.revision > ${accountZone.revision}`,
      }),
  });
}

/**
 * A step of transactions that store a schedule: a caller admitted before the account's zone changed brings the old
 * zone, so the sweep must move this schedule.
 */
export function markOutdatedZone(db: Database, { account_id, account_time_zone }: Principal) {
  return db
    .update(accountZone)
    .set({ pending: true })
    .where(and(eq(accountZone.account_id, account_id), ne(accountZone.time_zone, account_time_zone)));
}

/** Moves schedules to the changed zone of their account: their next day begins there. */
export async function sweepZones(db: Database) {
  for (let index = 0; index < MAX_TRANSACTIONS_PER_SWEEP && (await moveBatch(db)) > 0; index++);
}

async function moveBatch(db: Database) {
  const misplaced = await db
    .select({
      id: taskSchedule.id,
      revision: taskSchedule.revision,
      next_run: taskSchedule.next_run,
      before: taskSchedule.time_zone,
      time_zone: accountZone.time_zone,
    })
    .from(accountZone)
    .innerJoin(taskSchedule, eq(taskSchedule.account_id, accountZone.account_id))
    .where(and(sql`pending`, ne(taskSchedule.time_zone, accountZone.time_zone)))
    .orderBy(asc(accountZone.account_id), asc(taskSchedule.id))
    .limit(MAX_SCHEDULES_PER_TRANSACTION);
  const moves = misplaced.map(({ id, revision, next_run, before, time_zone }) => {
    return { id, revision, time_zone, next_run: startOfDay(toDay(next_run, before), time_zone) };
  });
  await write(db, { moved: moveSchedules(db, moves), cleared: clearPending(db) });
  return moves.length;
}

/** Moves schedules whose revision is the one that was read. */
function moveSchedules(db: Database, moves: object[]) {
  return db.run(
    sql`UPDATE ${taskSchedule} SET time_zone = move.value ->> 'time_zone', next_run = move.value ->> 'next_run',
        revision = ${taskSchedule.revision} + 1 FROM json_each(${JSON.stringify(moves)}) AS move
      WHERE ${taskSchedule.id} = move.value ->> 'id' AND ${taskSchedule.revision} = move.value ->> 'revision'`,
  );
}

function clearPending(db: Database) {
  const misplaced = sql`SELECT 1 FROM ${taskSchedule} WHERE ${taskSchedule.account_id} = ${accountZone.account_id}
    AND ${taskSchedule.time_zone} <> ${accountZone.time_zone}`;
  return db
    .update(accountZone)
    .set({ pending: false })
    .where(and(sql`pending`, sql`NOT EXISTS (${misplaced})`));
}

const MAX_SCHEDULES_PER_TRANSACTION = 500;
/** Bounds one sweep; the next one goes on. */
const MAX_TRANSACTIONS_PER_SWEEP = 20;
