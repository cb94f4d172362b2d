import { and, asc, eq, gt, gte, inArray, isNotNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type {
  FilledForm,
  RecordCursor,
  RecordPage,
  RecordSearch,
  ReportCheckin,
  ReportTask,
} from "#shared/contract/report-source.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { weighCandidates } from "#shared/database/weigh-candidates.ts";
import { isVisibleCheckin } from "../checkin/queries.ts";
import { toFilledFields } from "../form/filled-fields.ts";
import { isVisibleForm } from "../form/queries.ts";
import { checkin } from "../table/checkin.ts";
import { form } from "../table/form/form.ts";
import { task } from "../table/task/task.ts";

export async function selectTasks(
  db: Database,
  principal: Principal,
  { tracker_id, ...search }: RecordSearch,
): Promise<RecordPage<ReportTask>> {
  const own = visibleTo(
    principal,
    task,
    eq(task.tracker_id, tracker_id),
    inArray(task.type, ["task", "checkpoint"]),
    isInSearch(task.from, task.id, search),
  );
  const ids = db
    .select({ ...toCandidate(task.id), bytes: selectFormBytes(sql`task_id`, sql`"task"`).as("bytes") })
    .from(task)
    .where(own)
    .orderBy(asc(task.from), asc(task.id))
    .limit(MAX_ROWS_PER_PAGE);
  const weighed = weighCandidates(ids.getSQL(), CANDIDATE_BYTES);
  const rows = await db
    .select({ row: task, form: filledFormColumns, candidates: weighed.candidates })
    .from(weighed.table)
    .innerJoin(task, eq(task.id, weighed.id))
    .leftJoin(form, and(eq(form.account_id, task.account_id), eq(form.task_id, task.id)))
    .where(weighed.fits)
    .orderBy(weighed.ordinal);
  return toRecordPage(rows, ({ row, form }) => ({
    ...{ id: row.id, time: row.from, to: row.to, label: row.label, description: row.description },
    ...{ status: row.status, external_id: row.external_id ?? "", location: row.location },
    ...{ arrived: row.arrival_date, stay_seconds: row.stay_duration, form: form && toFilledForm(form) },
  }));
}

export async function selectCheckins(
  db: Database,
  principal: Principal,
  { tracker_id, ...search }: RecordSearch,
  now: number,
): Promise<RecordPage<ReportCheckin>> {
  const ids = db
    .select({ ...toCandidate(checkin.id), bytes: selectFormBytes(sql`checkin_id`, sql`"checkin"`).as("bytes") })
    .from(checkin)
    .where(
      isVisibleCheckin(
        principal,
        now,
        eq(checkin.tracker_id, tracker_id),
        isInSearch(checkin.marker_time, checkin.id, search),
      ),
    )
    .orderBy(asc(checkin.marker_time), asc(checkin.id))
    .limit(MAX_ROWS_PER_PAGE);
  const weighed = weighCandidates(ids.getSQL(), CANDIDATE_BYTES);
  const rows = await db
    .select({ row: checkin, form: filledFormColumns, candidates: weighed.candidates })
    .from(weighed.table)
    .innerJoin(checkin, eq(checkin.id, weighed.id))
    .leftJoin(form, and(eq(form.account_id, checkin.account_id), eq(form.checkin_id, checkin.id)))
    .where(weighed.fits)
    .orderBy(weighed.ordinal);
  return toRecordPage(rows, ({ row, form }) => ({
    ...{ id: row.id, time: row.marker_time, employee: row.employee_name ?? "", location: row.location },
    ...{ comment: row.comment ?? "", files: row.file_ids.length, form: form && toFilledForm(form) },
  }));
}

/** Submitted forms of the tracker's tasks and check-ins, by time. */
export async function selectForms(
  db: Database,
  principal: Principal,
  { tracker_id, ...search }: RecordSearch,
): Promise<RecordPage<FilledForm & RecordCursor>> {
  const ofTask = sql`${form.task_id} IN (SELECT own.id FROM ${task} AS own
    WHERE own.account_id = ${principal.account_id} AND own.tracker_id = ${tracker_id})`;
  const own = or(eq(form.tracker_id, tracker_id), ofTask);
  const isOfCheckin = or(isNotNull(form.checkin_id), isNotNull(form.task_id));
  const ids = db
    .select({ ...toCandidate(form.id), bytes: form.bytes })
    .from(form)
    .where(isVisibleForm(principal, own, isOfCheckin, isInSearch(form.submitted, form.id, search)))
    .orderBy(asc(form.submitted), asc(form.id))
    .limit(MAX_ROWS_PER_PAGE);
  const weighed = weighCandidates(ids.getSQL(), CANDIDATE_BYTES);
  const rows = await db
    .select({ row: { id: form.id }, form: filledFormColumns, candidates: weighed.candidates })
    .from(weighed.table)
    .innerJoin(form, eq(form.id, weighed.id))
    .where(weighed.fits)
    .orderBy(weighed.ordinal);
  return toRecordPage(rows, ({ row, form }) => ({ ...toFilledForm(form), id: row.id, time: form.submitted ?? 0 }));
}

type FilledFormRow = Pick<typeof form.$inferSelect, "label" | "template_id" | "submitted" | "fields" | "values">;
const filledFormColumns = {
  label: form.label,
  template_id: form.template_id,
  submitted: form.submitted,
  fields: form.fields,
  values: form.values,
};

function toFilledForm({ fields, values, ...rest }: FilledFormRow): FilledForm {
  return { ...rest, fields: toFilledFields(fields, values) };
}

function toCandidate(id: SQLiteColumn) {
  return { id, total: sql<null>`NULL`.as("total") };
}

/** Bytes of the form that belongs to the row; 0 without a form. */
function selectFormBytes(key: SQL, table: SQL) {
  return sql<number>`coalesce((SELECT own.bytes FROM ${form} AS own
    WHERE own.account_id = ${table}.account_id AND own.${key} = ${table}.id), 0)`;
}

function isInSearch(
  time: SQLiteColumn,
  id: SQLiteColumn,
  { from, to, after }: { from: number; to: number; after: RecordCursor | null },
) {
  const isAfter = after ? or(gt(time, after.time), and(eq(time, after.time), gt(id, after.id))) : undefined;
  return and(gte(time, from), lte(time, to), isAfter);
}

/** The rows as a page. Rows that were cut off because of their bytes come with the next page. */
function toRecordPage<Row extends { candidates: number }, Item extends RecordCursor>(
  rows: Row[],
  toItem: (row: Row) => Item,
): RecordPage<Item> {
  const items = rows.map(toItem);
  const last = items.at(-1);
  const hasNext = last && (rows.length < (rows[0]?.candidates ?? 0) || rows.length === MAX_ROWS_PER_PAGE);
  return { items, next: hasNext ? { time: last.time, id: last.id } : null };
}

const CANDIDATE_BYTES = sql`candidate.bytes`;
const MAX_ROWS_PER_PAGE = 500;
