import { and, asc, eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere, onlyRow } from "#shared/database/rows.ts";
import { demand, outdatedError, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { reportSchedule, type ScheduleRow } from "../table/report-schedule.ts";

type NewRow = Omit<typeof reportSchedule.$inferInsert, "account_id" | "user_id">;

/** Stores a schedule; throws 268 when the user has too many. */
export async function insertSchedule(db: Database, principal: Principal, row: NewRow, maxSchedules: number) {
  const { account_id, user_id } = principal;
  const owned = sql`(SELECT count(*) FROM ${reportSchedule} WHERE ${isOfUser(principal)})`;
  const { inserted } = await write(db, {
    room: demand(sql`${owned} < ${maxSchedules}`, () => new ApiError(268)),
    inserted: db
      .insert(reportSchedule)
      .values({ ...row, account_id, user_id })
      .returning({ id: reportSchedule.id }),
  });
  return onlyRow(inserted).id;
}

export async function requireSchedule(db: Database, principal: Principal, id: number): Promise<ScheduleRow> {
  const found = await db
    .select()
    .from(reportSchedule)
    .where(and(isOfUser(principal), eq(reportSchedule.id, id)))
    .get();
  if (!found) throw new ApiError(201);
  return found;
}

/** Changes the schedule if its revision is the one that was read. */
export async function changeSchedule(db: Database, { id, revision }: ScheduleRow, changes: Partial<NewRow>) {
  const own = eq(reportSchedule.id, id);
  await write(db, {
    isCurrent: demand(isThere(reportSchedule, and(own, eq(reportSchedule.revision, revision))), outdatedError),
    updated: db.update(reportSchedule).set(changes).where(own),
  });
}

/** Deletes the schedule; its reports stay. */
export async function removeSchedule(db: Database, principal: Principal, id: number) {
  const removed = await db
    .delete(reportSchedule)
    .where(and(isOfUser(principal), eq(reportSchedule.id, id)))
    .returning({ id: reportSchedule.id });
  if (removed.length === 0) throw new ApiError(201);
}

/** The schedules of the user; their number is limited. */
export function selectSchedules(db: Database, principal: Principal): Promise<ScheduleRow[]> {
  return db.select().from(reportSchedule).where(isOfUser(principal)).orderBy(asc(reportSchedule.id)).all();
}

function isOfUser({ account_id, user_id }: Principal) {
  return and(eq(reportSchedule.account_id, account_id), eq(reportSchedule.user_id, user_id));
}
