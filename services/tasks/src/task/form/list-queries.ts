import { and, count, eq, gte, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { ROSTER } from "#shared/contract/fleet.ts";
import type { VisibleAreas } from "#shared/contract/point/area.ts";
import { mentions } from "#shared/database/mentions.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { weighCandidates } from "#shared/database/weigh-candidates.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type ListWindow, pageAt } from "#shared/operation/list-answer.ts";
import { demandTemplates } from "../../form/issue-queries.ts";
import { formColumns } from "../../form/queries.ts";
import { form } from "../../table/form/form.ts";
import { task } from "../../table/task/task.ts";
import { toListedFor } from "./schema.ts";

/**
 * The roster of fleet (JSON: employee and vehicle of each tracker) as a table. LIMIT makes SQLite materialize and index
 * it.
 */
function rosterTable(roster: string): SQL {
  const columns = ROSTER.map((name) => sql.raw(`value ->> '${name}' AS ${name}`));
  return sql`(SELECT ${sql.join(columns, sql`, `)} FROM json_each(${roster}) LIMIT -1) AS roster`;
}
const isOnTracker = sql`roster.tracker_id = ${task.tracker_id}`;
const rosterColumns = {
  tracker_id: sql<number | null>`roster.tracker_id`,
  tracker_label: sql<string | null>`roster.label`,
  employee_id: sql<number | null>`roster.employee_id`,
  first_name: sql<string | null>`roster.first_name`,
  middle_name: sql<string | null>`roster.middle_name`,
  last_name: sql<string | null>`roster.last_name`,
  vehicle_id: sql<number | null>`roster.vehicle_id`,
  vehicle_label: sql<string | null>`roster.vehicle_label`,
};
const completionDate = sql<number | null>`iif(${task.status} IN ('done', 'delayed'), ${task.status_change_date}, NULL)`;

/** Columns that lists can be sorted by, under the names of the public API. */
export const ORDERS = {
  task_id: sql`${task.id}`,
  created: sql`${form.created}`,
  submitted: sql`${form.submitted}`,
  task_address: sql`${task.address_folded}`,
  submit_address: sql`${form.submit_address_folded}`,
  employee_full_name: sql`roster.name_folded`,
  vehicle_label: sql`roster.vehicle_label_folded`,
  tracker_label: sql`roster.label_folded`,
  task_label: sql`${task.label_folded}`,
  task_creation_date: sql`${task.creation_date}`,
  task_from: sql`${task.from}`,
  task_to: sql`${task.to}`,
  task_arrival_date: sql`${task.arrival_date}`,
  task_completion_date: completionDate,
  form_label: sql`${form.label_folded}`,
  form_description: sql`${form.description_folded}`,
};
export type Order = keyof typeof ORDERS;

/** Columns that are searched by a part of their text; `task_id` alone must match as a whole. */
export const TEXTS = {
  employee_full_name: ORDERS.employee_full_name,
  form_description: ORDERS.form_description,
  form_label: ORDERS.form_label,
  submit_address: ORDERS.submit_address,
  task_address: ORDERS.task_address,
  task_label: ORDERS.task_label,
  tracker_label: ORDERS.tracker_label,
  vehicle_label: ORDERS.vehicle_label,
};
/** Columns that a period of the request can bound. */
export const MOMENTS = {
  submit_period: ORDERS.submitted,
  task_creation_period: ORDERS.task_creation_date,
  task_from_period: ORDERS.task_from,
  task_to_period: ORDERS.task_to,
  task_arrival_period: ORDERS.task_arrival_date,
  task_completion_period: ORDERS.task_completion_date,
};

export type Filters = {
  template_id: number | null;
  task_ids: number[] | null;
  include_unsubmitted: boolean;
  texts: Partial<Record<keyof typeof TEXTS | "task_id", string | null>>;
  periods: Partial<Record<keyof typeof MOMENTS, { from: number; to: number } | null>>;
};

/** Filters that are not given restrict nothing. */
export function matchFilters({ template_id, task_ids, include_unsubmitted, texts, periods }: Filters) {
  const { task_id, ...others } = texts;
  return and(
    template_id === null ? undefined : eq(form.template_id, template_id),
    task_ids ? among(task.id, task_ids) : undefined,
    include_unsubmitted ? undefined : isNotNull(form.submitted),
    task_id ? sql`CAST(${task.id} AS TEXT) = ${task_id}` : undefined,
    ...Object.entries(others).map(([name, text]) =>
      text ? mentions(TEXTS[name as keyof typeof TEXTS], text) : undefined,
    ),
    ...Object.entries(periods).map(([name, period]) => {
      if (!period) return undefined;
      const moment = MOMENTS[name as keyof typeof MOMENTS];
      // Callers give whole seconds: the last second counts to its end.
      return and(gte(moment, period.from), lte(moment, period.to + 999));
    }),
  );
}

export type FormSearch = {
  template_id: number | null;
  condition: SQL | undefined;
  order: Order;
  ascending: boolean;
  roster: string;
  /** The places and zones that the caller sees. */
  areas: VisibleAreas;
};

/** The first page with the count of all forms, then page after page. Throws 204 when the template does not exist. */
export async function selectForms(db: Database, principal: Principal, search: FormSearch, window: ListWindow) {
  const { counted, rows } = await read(db, {
    hasTemplate: demandTemplates(principal, [search.template_id], () => new ApiError(204)),
    counted: db
      .select({ count: count() })
      .from(form)
      .innerJoin(task, isTaskOfForm)
      .leftJoin(rosterTable(search.roster), isOnTracker)
      .where(isVisible(principal, search.condition)),
    rows: selectPage(db, principal, search, window),
  });
  const next = async (next: ListWindow) => selectPage(db, principal, search, next);
  const toItem = toListedFor(search.areas);
  const page = pageAt(rows, window, { size: MAX_ROWS_PER_PAGE, read: next, toItem: (row) => toItem(row) });
  return { count: onlyRow(counted).count, page };
}

function selectPage(
  db: Database,
  principal: Principal,
  { condition, order, ascending, roster }: FormSearch,
  { limit = MAX_ROWS_PER_PAGE, offset }: ListWindow,
) {
  const by = ORDERS[order];
  const candidates = db
    .select({ id: form.id, bytes: form.bytes, total: sql`NULL`.as("total") })
    .from(form)
    .innerJoin(task, isTaskOfForm)
    .leftJoin(rosterTable(roster), isOnTracker)
    .where(isVisible(principal, condition))
    // Nulls come last in both directions.
    .orderBy(sql`${by} IS NULL`, ascending ? sql`${by} ASC` : sql`${by} DESC`, form.id)
    .limit(Math.min(limit, MAX_ROWS_PER_PAGE))
    .offset(offset);
  const weighed = weighCandidates(candidates.getSQL(), sql`candidate.bytes`);
  return db
    .select({
      form: formColumns,
      submit_areas: form.submit_areas,
      task: taskColumns,
      roster: rosterColumns,
      candidates: weighed.candidates,
    })
    .from(weighed.table)
    .innerJoin(form, eq(form.id, weighed.id))
    .innerJoin(task, isTaskOfForm)
    .leftJoin(rosterTable(roster), isOnTracker)
    .where(weighed.fits)
    .orderBy(weighed.ordinal);
}

function isVisible(principal: Principal, condition: SQL | undefined) {
  return and(eq(form.account_id, principal.account_id), visibleTo(principal, task), condition);
}

const isTaskOfForm = eq(task.id, form.task_id);
const taskColumns = {
  id: task.id,
  label: task.label,
  from: task.from,
  to: task.to,
  creation_date: task.creation_date,
  arrival_date: task.arrival_date,
  status: task.status,
  location: task.location,
  stay_duration: task.stay_duration,
  completion_date: completionDate,
};
const MAX_ROWS_PER_PAGE = 1000;
