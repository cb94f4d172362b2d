import { and, type Column, eq, gte, lte, or, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { SearchFields } from "#shared/database/conditions.ts";
import { textIn } from "#shared/database/day-in.ts";
import { mentions } from "#shared/database/mentions.ts";
import type { Sortable } from "#shared/database/order.ts";
import { among } from "#shared/database/scope.ts";
import type { Clock } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { form as formTable } from "../table/form/form.ts";
import { outerTask, type STATUSES, task } from "../table/task/task.ts";
import { carriesAll } from "../tag-binding/queries.ts";

/** Fleet's JSON: `[tracker_id, employee_id or null, folded name]` for each tracker. */
export type Crew = string;
export const EMPTY_CREW: Crew = "[]";

const employee = { id: sql`crew.employee_id`, name: sql`crew.name` };
/** A column of the task's form, found by an index; read only where a search needs it. */
const selectFormColumn = (column: string) =>
  sql`(SELECT ${sql.raw(column)} FROM ${formTable} AS own WHERE own.account_id = ${outerTask.account_id} AND own.task_id = ${outerTask.id})`;
const form = { template_id: selectFormColumn("own.template_id"), label: selectFormColumn("own.label_folded") };

/** The crew as a table, joined by `isOfCrew`. LIMIT makes SQLite materialize and index it. */
export function crewTable(crew: Crew): SQL {
  return sql`(SELECT value ->> 0 AS tracker_id, value ->> 1 AS employee_id, value ->> 2 AS name
    FROM json_each(${crew}) LIMIT -1) AS crew`;
}
export const isOfCrew = sql`crew.tracker_id = ${task.tracker_id}`;

/** The columns that tasks can be sorted by, under the names of the public API. */
export const SORTABLE: Sortable = {
  id: task.id,
  employee: employee.name,
  status: task.status,
  label: task.label_folded,
  location: task.address_folded,
  from: task.from,
  to: task.to,
  status_change_date: task.status_change_date,
  arrival_date: task.arrival_date,
  stay_duration: task.stay_duration,
  description: task.description_folded,
  external_id: task.external_id_folded,
  form: form.label,
};

/** The columns that search conditions can name. */
export const SEARCH_FIELDS: SearchFields = {
  id: { kind: "number", column: task.id },
  employee: { kind: "entity", id: employee.id, folded: employee.name },
  status: { kind: "text", folded: task.status },
  label: { kind: "text", folded: task.label_folded },
  location: { kind: "text", folded: task.address_folded },
  from: { kind: "moment", column: task.from },
  to: { kind: "moment", column: task.to },
  status_change_date: { kind: "moment", column: task.status_change_date },
  arrival_date: { kind: "moment", column: task.arrival_date },
  stay_duration: { kind: "number", column: task.stay_duration },
  description: { kind: "text", folded: task.description_folded },
  external_id: { kind: "text", folded: task.external_id_folded },
  form: { kind: "entity", id: form.template_id, folded: form.label },
};

export type Filters = {
  external_id?: string | null;
  statuses: (typeof STATUSES)[number][] | null;
  trackers: number[] | null;
  from?: number;
  to?: number;
  filter: string | null;
  filters?: string[] | null;
  tag_ids?: number[] | null;
  location?: Circle;
};
export type Circle = { lat: number; lng: number; radius: number };

/** Filters that are not given restrict nothing. */
export function matchFilters(principal: Principal, filters: Filters, clock: Clock): SQL | undefined {
  const { external_id, statuses, trackers, from, to, filter, filters: words, tag_ids, location } = filters;
  return and(
    external_id ? eq(task.external_id, external_id) : undefined,
    statuses ? among(task.status, statuses) : undefined,
    trackers ? among(task.tracker_id, trackers) : undefined,
    // The task's time must overlap the range. Callers give whole seconds: the last second counts to its end.
    from === undefined ? undefined : gte(task.to, from),
    to === undefined ? undefined : lte(task.from, to + 999),
    filter ? or(anyMentions(selectSearchTexts(filter, clock), filter), hasFormLabeled(principal, filter)) : undefined,
    ...(words ?? []).map((one) => anyMentions(PLAIN_TEXTS, one)),
    tag_ids && tag_ids.length > 0 ? carriesAll(principal, "task", task.id, tag_ids) : undefined,
    location ? isWithin(location, task) : undefined,
  );
}

/** An uncorrelated subquery: forms are searched once, not for each task. */
function hasFormLabeled({ account_id }: Principal, filter: string): SQL {
  const isMeant = and(eq(formTable.account_id, account_id), mentions(formTable.label_folded, filter));
  return sql`${task.id} IN (SELECT ${formTable.task_id} FROM ${formTable} WHERE ${isMeant})`;
}

const PLAIN_TEXTS: SQL[] = [task.label_folded, task.description_folded, task.address_folded].map((one) => sql`${one}`);
const MOMENT_COLUMNS = [task.from, task.to, task.status_change_date, task.arrival_date];

/**
 * Expressions for all texts, and for numbers and times as the caller sees them; the latter only if the filter consists
 * of their characters.
 */
function selectSearchTexts(filter: string, { now, zone }: Clock): SQL[] {
  const texts = [...PLAIN_TEXTS, sql`${task.external_id_folded}`, sql`${task.status}`, employee.name];
  if (!/^[\d :-]+$/.test(filter)) return texts;
  const today = Math.floor(now() / DAY_MS) * DAY_MS;
  const range = { from: today - NEAR_MS, to: today + NEAR_MS };
  const numbers = [task.id, task.stay_duration].map((column) => sql`CAST(${column} AS TEXT)`);
  return [...texts, ...numbers, ...MOMENT_COLUMNS.map((column) => textIn(column, zone, range))];
}

function anyMentions(columns: SQL[], text: string) {
  return or(...columns.map((column) => mentions(column, text)));
}

/** True when the center is within the circle, by great-circle distance. */
export function isWithin({ lat, lng, radius }: Circle, table: Record<"lat" | "lng", Column>): SQL {
  const half = (one: SQL, other: number) => sql`sin(radians(${one} - ${other}) / 2)`;
  const square = (value: SQL) => sql`${value} * ${value}`;
  const byLat = square(half(sql`${table.lat}`, lat));
  const byLng = square(half(sql`${table.lng}`, lng));
  const haversine = sql`${byLat} + cos(radians(${lat})) * cos(radians(${table.lat})) * ${byLng}`;
  const degrees = (radius / EARTH_METERS) * (180 / Math.PI);
  return sql`(${table.lat} BETWEEN ${lat - degrees} AND ${lat + degrees}
    AND 2 * ${EARTH_METERS} * asin(min(1, sqrt(${haversine}))) <= ${radius})`;
}

const EARTH_METERS = 6_371_008.8;
/** Within two years of today, offsets of the zone are exact to the hour; beyond, the nearer end's offset counts. */
const NEAR_MS = 730 * DAY_MS;
