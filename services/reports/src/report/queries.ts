import { and, asc, desc, eq, getTableColumns, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { demand, demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { ownerOf, recordChange, recordEachChange } from "../outbox/audit.ts";
import { type ReportRow, report } from "../table/report.ts";
import { reportSchedule } from "../table/report-schedule.ts";

type Limits = { parallel: number; kept: number };

/**
 * Stores a report; answers its id. Throws 15 while too many reports of the user are being made; removes the oldest
 * beyond `kept`.
 */
export async function insertReport(
  db: Database,
  row: typeof report.$inferInsert,
  { parallel, kept }: Limits,
  actor: Actor,
): Promise<number> {
  const own = and(eq(report.account_id, row.account_id), eq(report.user_id, row.user_id));
  const underWay = sql`(SELECT count(*) FROM ${report} WHERE ${own} AND ${report.state} = 'waiting' AND ${report.schedule_id} IS NULL)`;
  const newest = sql`(SELECT ${report.id} FROM ${report} WHERE ${own} AND ${report.state} <> 'removed'
    ORDER BY ${report.id} DESC LIMIT ${kept})`;
  const beyond = and(own, eq(report.state, "finished"), sql`${report.id} NOT IN ${newest}`);
  const { inserted } = await write(db, {
    slot: demand(sql`${underWay} < ${parallel}`, () => new ApiError(15)),
    inserted: db.insert(report).values(row).returning({ id: report.id }),
    recorded: recordCreation(db, row, actor),
    removals: recordEachChange(db, actor, { is: ["report", "delete"] }, selectEntries(beyond)),
    oldest: db.update(report).set({ state: "removed" }).where(beyond),
  });
  return onlyRow(inserted).id;
}

/** The reports of the user whose trackers it sees, newest first. */
export function selectReports(db: Database, principal: Principal): Promise<ReportRow[]> {
  return db.select().from(report).where(isReadableBy(principal)).orderBy(desc(report.id)).all();
}

export async function requireReport(db: Database, principal: Principal, id: number): Promise<ReportRow> {
  const found = await db
    .select()
    .from(report)
    .where(and(isReadableBy(principal), eq(report.id, id)))
    .get();
  if (!found) throw new ApiError(204);
  return found;
}

export async function removeReport(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = and(isOfUser(principal), eq(report.id, id));
  await write(db, {
    recorded: recordEachChange(db, actor, { is: ["report", "delete"] }, selectEntries(own)),
    removed: db.update(report).set({ state: "removed" }).where(own),
    isRemoved: demandChange(() => new ApiError(201)),
  });
}

/** The finished report whose mail contains this token, unless it is older than `since`. */
export async function requireMailed(db: Database, id: number, token: string, since: number): Promise<ReportRow> {
  const isIt = and(eq(report.id, id), sql`${report.mail} ->> 'token' = ${token}`, gte(report.created, since));
  const found = await db
    .select()
    .from(report)
    .where(and(isIt, eq(report.state, "finished")))
    .get();
  if (!found) throw new ApiError(204);
  return found;
}

/** Finished reports whose mails are to be enqueued, round robin over accounts. */
export function selectMailDue(db: Database, maxRows: number): Promise<ReportRow[]> {
  const waiting = { isWaiting: sql`is_mail_due AND state = 'finished'`, isDue: sql`TRUE`, order: sql`id` };
  return db
    .select()
    .from(report)
    .where(sql`${report.id} IN (${selectDueByAccount({ table: report, ...waiting }, maxRows)})`)
    .all();
}

export async function markMailed(db: Database, ids: number[]) {
  await db.update(report).set({ is_mail_due: false }).where(inArray(report.id, ids));
}

/** Leases a waiting report until `until`; undefined while another call holds its lease. */
export async function leaseReport(
  db: Database,
  id: number,
  now: number,
  until: number,
): Promise<ReportRow | undefined> {
  const [leased] = await db
    .update(report)
    .set({ leased: until, tries: sql`${report.tries} + 1` })
    .where(and(eq(report.id, id), eq(report.state, "waiting"), lte(report.leased, now)))
    .returning();
  return leased;
}

/**
 * Stores that one more sheet is made, and the row's trackers; the last sheet finishes the report. Undefined if the
 * report was removed or leased by another call meanwhile.
 */
export async function storeProgress(db: Database, row: ReportRow, now: number, until: number) {
  const { id, leased, done, sheets, trackers } = row;
  const state = done + 1 >= sheets ? ("finished" as const) : ("waiting" as const);
  const entry = { is: ["report", "complete"] as const, entry_id: id, payload: summaryOf(row) };
  const { noted } = await write(db, {
    noted: db
      .update(report)
      .set({ done: done + 1, state, leased: until, tries: 0, trackers })
      .where(and(eq(report.id, id), eq(report.state, "waiting"), eq(report.leased, leased), eq(report.done, done)))
      .returning(),
    recorded: state === "finished" ? recordChange(db, ownerOf(row, now), entry) : undefined,
  });
  return noted[0];
}

/** Ends the lease, so that the next call can continue the report at once. */
export async function releaseReport(db: Database, { id, leased }: ReportRow) {
  await db
    .update(report)
    .set({ leased: 0 })
    .where(and(eq(report.id, id), eq(report.leased, leased)));
}

/** Waiting reports without a lease, round robin over accounts. */
export async function selectUnleased(db: Database, now: number, maxRows: number): Promise<number[]> {
  const waiting = { isWaiting: sql`state = 'waiting'`, isDue: sql`leased <= ${now}`, order: sql`id` };
  const rows = await db
    .select({ id: report.id })
    .from(report)
    .where(sql`${report.id} IN (${selectDueByAccount({ table: report, ...waiting }, maxRows)})`);
  return rows.map(({ id }) => id);
}

export function selectRemoved(db: Database, maxRows: number) {
  const { id, account_id } = getTableColumns(report);
  return db
    .select({ id, account_id })
    .from(report)
    .where(sql`state = 'removed'`)
    .orderBy(asc(report.id))
    .limit(maxRows)
    .all();
}

export async function deleteReports(db: Database, ids: number[]) {
  await db.delete(report).where(and(inArray(report.id, ids), eq(report.state, "removed")));
}

/** Deletes the schedules of accounts, and marks their reports for the next sweep. */
export async function removeAccountReports(db: Database, account_ids: number[]) {
  await write(db, {
    schedules: db.delete(reportSchedule).where(among(reportSchedule.account_id, account_ids)),
    reports: db.update(report).set({ state: "removed" }).where(among(report.account_id, account_ids)),
  });
}

/** Records the report that the statement in front has inserted. */
export function recordCreation(db: Database, row: typeof report.$inferInsert, actor: Actor) {
  return recordChange(db, actor, {
    is: ["report", "create"],
    entry_id: sql`last_insert_rowid()`,
    payload: summaryOf(row),
  });
}

/** The query for the audit entries of reports that are about to be removed. */
export function selectEntries(condition: SQL | undefined): SQL {
  const { id, account_id, user_id, title, trackers, schedule_id } = report;
  return sql`SELECT ${id} AS id, ${account_id} AS account_id, ${user_id} AS user_id, json_object('title', ${title},
    'trackers', json(${trackers}), 'schedule_id', ${schedule_id}) AS payload FROM ${report} WHERE ${condition}`;
}

/** The payload of a report's audit entry. A sub-user sees the event only while it sees all trackers. */
function summaryOf({ title, trackers, schedule_id }: typeof report.$inferInsert) {
  return { title, trackers, schedule_id: schedule_id ?? null };
}

/** The report is the user's, and the user sees all trackers whose data it contains, also if it saw more before. */
function isReadableBy(principal: Principal) {
  const { scope } = principal;
  if (scope === "all") return isOfUser(principal);
  const hidden = sql`SELECT 1 FROM json_each(${report.trackers}) AS shown
    WHERE shown.value NOT IN (SELECT value FROM json_each(${JSON.stringify(scope)}))`;
  return and(isOfUser(principal), sql`NOT EXISTS (${hidden})`);
}

function isOfUser({ account_id, user_id }: Principal) {
  return and(eq(report.account_id, account_id), eq(report.user_id, user_id), sql`${report.state} <> 'removed'`);
}
