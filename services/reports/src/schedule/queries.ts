import { and, asc, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere, onlyRow } from "#shared/database/rows.ts";
import { demand, demandChange, outdatedError, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange, recordEachChange } from "../outbox/audit.ts";
import { reportSchedule, type ScheduleRow } from "../table/report-schedule.ts";

type NewRow = Omit<typeof reportSchedule.$inferInsert, "account_id" | "user_id">;

/** Stores a schedule; throws 268 when the user has too many. */
export async function insertSchedule(
  db: Database,
  principal: Principal,
  row: NewRow,
  maxSchedules: number,
  actor: Actor,
) {
  const { account_id, user_id } = principal;
  const owned = sql`(SELECT count(*) FROM ${reportSchedule} WHERE ${isOfUser(principal)})`;
  const { inserted } = await write(db, {
    quota: demand(sql`${owned} < ${maxSchedules}`, () => new ApiError(268)),
    inserted: db
      .insert(reportSchedule)
      .values({ ...row, account_id, user_id })
      .returning({ id: reportSchedule.id }),
    recorded: recordChange(db, actor, {
      is: ["report_schedule", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: summaryOf(row),
    }),
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
export async function changeSchedule(
  db: Database,
  { id, revision }: ScheduleRow,
  changes: Pick<NewRow, "enabled" | "parameters"> & Partial<NewRow>,
  actor: Actor,
) {
  const own = eq(reportSchedule.id, id);
  await write(db, {
    isCurrent: demand(isThere(reportSchedule, and(own, eq(reportSchedule.revision, revision))), outdatedError),
    updated: db.update(reportSchedule).set(changes).where(own),
    recorded: recordChange(db, actor, { is: ["report_schedule", "update"], entry_id: id, payload: summaryOf(changes) }),
  });
}

/** Deletes the schedule; its reports stay. */
export async function removeSchedule(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = and(isOfUser(principal), eq(reportSchedule.id, id));
  const entries = sql`SELECT ${reportSchedule.id} AS id, json_object('title', ${reportSchedule.parameters} ->> '$.report.title',
    'enabled', json(iif(${reportSchedule.enabled}, 'true', 'false'))) AS payload FROM ${reportSchedule} WHERE ${own}`;
  await write(db, {
    recorded: recordEachChange(db, actor, { is: ["report_schedule", "delete"] }, entries),
    removed: db.delete(reportSchedule).where(own),
    isRemoved: demandChange(() => new ApiError(201)),
  });
}

/** The schedules of the user; their number is limited. */
export function selectSchedules(db: Database, principal: Principal): Promise<ScheduleRow[]> {
  return db.select().from(reportSchedule).where(isOfUser(principal)).orderBy(asc(reportSchedule.id)).all();
}

/** The payload of a schedule's audit entry. */
export function summaryOf({ enabled, parameters }: Pick<NewRow, "enabled" | "parameters">) {
  return { title: parameters.report.title, enabled };
}

function isOfUser({ account_id, user_id }: Principal) {
  return and(eq(reportSchedule.account_id, account_id), eq(reportSchedule.user_id, user_id));
}
