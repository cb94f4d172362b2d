import { and, eq, getTableColumns, gt, gte, lte, type SQL, sql } from "drizzle-orm";
import { type Actor, someOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { visibleSince } from "#shared/contract/tracker/stored-range.ts";
import { dayIn } from "#shared/database/day-in.ts";
import type { Database } from "#shared/database/open.ts";
import { orderBy, type Sortable } from "#shared/database/order.ts";
import { isThere } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { type ListWindow, type Page, pageAt } from "#shared/operation/list-answer.ts";
import { foldText } from "#shared/text/fold.ts";
import type { Clock } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { recordChange, recordEachChange } from "../../outbox/audit.ts";
import { selectByIds } from "../../people/employee/queries.ts";
import { employee } from "../../table/people/employee.ts";
import { type JOURNAL_TYPES, journalEntry } from "../../table/people/journal-entry.ts";
import { tariff } from "../../table/registration/tariff.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { selectVisibleRows } from "../../tracker/queries.ts";
import {
  type ChangedJournalEntry,
  type JournalEntry,
  type NewJournalEntry,
  requireUnchanged,
  toJournalEntry,
} from "./schema.ts";

type DateRange = { from: number; to: number };
export type EntrySearch = {
  /** Undefined: entries of all trackers that the caller sees. */
  tracker_id?: number;
  /** Entries whose dates intersect this range; undefined: the entries with `entry_ids`. */
  range?: DateRange;
  entry_ids: number[] | null;
  types: (typeof JOURNAL_TYPES)[number][] | null;
  sort: string[] | null;
};

/** The columns that entries can be sorted by. `start_date` and `end_date` are compared as days of the caller's zone. */
export function sortableIn(zone: string, range: DateRange): Sortable {
  return {
    start_date: dayIn(journalEntry.start_date, zone, range),
    start_datetime: journalEntry.start_date,
    end_date: dayIn(journalEntry.end_date, zone, range),
    end_datetime: journalEntry.end_date,
    start_address: journalEntry.start_address_folded,
    end_address: journalEntry.end_address_folded,
    driver: sql`${employee.name_folded}`,
    type: journalEntry.type,
  };
}

/** Entries in pages, without the names of trackers and drivers. */
export async function selectEntries(
  db: Database,
  principal: Principal,
  search: EntrySearch,
  clock: Clock,
): Promise<Page<JournalEntry>> {
  const withoutNames = ({ items, next }: Page<NamedEntry>): Page<JournalEntry> => ({
    items: items.map(({ entry }) => entry),
    next: next && (async () => withoutNames(await next())),
  });
  return withoutNames(await selectNamedEntries(db, principal, search, clock));
}

/** A journal entry with the label of its tracker and the names of its driver. */
export type NamedEntry = { entry: JournalEntry; tracker: string; driver: Driver | null };
type Driver = { first_name: string; middle_name: string; last_name: string };

/** Entries in pages, each with the label of its tracker and the names of its driver. */
export async function selectNamedEntries(
  db: Database,
  principal: Principal,
  search: EntrySearch,
  clock: Clock,
): Promise<Page<NamedEntry>> {
  const toItem = (row: Row) => ({ ...row, entry: toJournalEntry(row.entry) });
  const read = ({ offset }: ListWindow) => selectRows(db, principal, search, clock, offset);
  return pageAt(await read(START), START, { size: MAX_ROWS_PER_PAGE, read, toItem });
}

/**
 * Hides entries that began before the storage period of a sub-user's group. The tariff's period does not limit
 * journals.
 */
function visibleEntries(principal: Principal, now: number, ...conditions: (SQL | undefined)[]) {
  const { store_period } = principal;
  const isStored = store_period === null ? undefined : gte(journalEntry.start_date, visibleSince([store_period], now));
  return visibleTo(principal, journalEntry, isStored, ...conditions);
}

function selectRows(db: Database, principal: Principal, search: EntrySearch, clock: Clock, offset: number) {
  const { range, tracker_id, entry_ids, types, sort } = search;
  const days = range ?? { from: clock.now() - 2 * YEAR_MS, to: clock.now() + YEAR_MS };
  const { first_name, middle_name, last_name } = employee;
  return db
    .select({ entry: journalEntry, tracker: tracker.label, driver: { first_name, middle_name, last_name } })
    .from(journalEntry)
    .innerJoin(tracker, eq(tracker.id, journalEntry.tracker_id))
    .leftJoin(employee, eq(employee.id, journalEntry.employee_id))
    .where(
      visibleEntries(
        principal,
        clock.now(),
        tracker_id === undefined ? undefined : eq(journalEntry.tracker_id, tracker_id),
        // Callers send whole seconds, so the last second of the range counts to its end.
        range && and(lte(journalEntry.start_date, range.to + 999), gt(journalEntry.end_date, range.from - 1)),
        entry_ids ? among(journalEntry.id, entry_ids) : undefined,
        types ? among(journalEntry.type, types) : undefined,
        hasJournal(journalEntry.tracker_id),
      ),
    )
    .orderBy(...orderBy(sort ?? ["start_date=asc"], sortableIn(clock.zone, days), journalEntry.id))
    .limit(MAX_ROWS_PER_PAGE)
    .offset(offset);
}

type Row = Awaited<ReturnType<typeof selectRows>>[number];

/** The trackers and employees that the entries name, those alone that the principal sees. */
export async function readReferences(db: Database, principal: Principal, entries: NewJournalEntry[]) {
  const tracker_ids = [...new Set(entries.map(({ tracker_id }) => tracker_id))];
  const employee_ids = [...new Set(entries.flatMap(({ employee_id }) => employee_id ?? []))];
  const { trackers, employees } = await read(db, {
    trackers: selectVisibleRows(db, principal, tracker_ids),
    employees: selectByIds(db, principal, employee_ids),
  });
  return {
    trackers: new Map(trackers.map((one) => [one.tracker_id, one])),
    employees: new Set(employees.map(({ id }) => id)),
  };
}

/**
 * Stores all entries or none: 247 when one overlaps a stored entry of its tracker, 7 when an employee was deleted since
 * the entries were checked.
 */
export async function insertEntries(db: Database, principal: Principal, entries: NewJournalEntry[], actor: Actor) {
  const rows = sql`json_each(${JSON.stringify(entries.map(rowOf))}) AS new_entry`;
  const names = Object.keys(getTableColumns(journalEntry)).filter((name) => name !== "id" && name !== "account_id");
  const values = names.map((name) => sql.raw(`new_entry.value ->> '${name}'`));
  const trackers = [...new Set(entries.map(({ tracker_id }) => tracker_id))];
  await write(db, {
    employees: demand(employeesExist(principal, entries), () =>
      invalid("entries", "names an employee that does not exist"),
    ),
    times: demand(sql`NOT ${overlapsAny(principal, rows)}`, () => new ApiError(247)),
    entries: db
      .insert(journalEntry)
      .select(sql`SELECT NULL, ${principal.account_id}, ${sql.join(values, sql`, `)} FROM ${rows}`),
    record: recordChange(db, actor, {
      is: ["journal_entry", "create"],
      payload: { count: entries.length, trackers: someOf(trackers) },
    }),
  });
}

export async function changeEntry(
  db: Database,
  principal: Principal,
  changes: ChangedJournalEntry,
  clock: Clock,
  actor: Actor,
) {
  const { id, type, comment } = changes;
  const own = visibleEntries(principal, clock.now(), eq(journalEntry.id, id));
  const row = await db.select().from(journalEntry).where(own).get();
  if (!row) throw new ApiError(204);
  requireUnchanged(changes, toJournalEntry(row), clock);
  const blocked = and(own, isOnBlockedTracker(journalEntry.tracker_id));
  const withFeature = and(own, hasJournal(journalEntry.tracker_id));
  await write(db, {
    entry: demand(isThere(journalEntry, own), () => new ApiError(204)),
    tracker: demand(isThere(tracker, sql`${tracker.id} = ${row.tracker_id}`), () => new ApiError(201)),
    unblocked: demand(sql`NOT ${isThere(journalEntry, blocked)}`, () => new ApiError(208)),
    feature: demand(isThere(journalEntry, withFeature), () => new ApiError(236)),
    update: db.update(journalEntry).set({ id, type, comment }).where(own),
    record: recordChange(db, actor, {
      is: ["journal_entry", "update"],
      entry_id: id,
      payload: sql`SELECT json_object('type', ${journalEntry.type}) FROM ${journalEntry} WHERE ${own}`,
    }),
  });
}

/** Deletes all of these entries, or none: 217 when one of them is missing, 208 when its tracker is blocked. */
export async function removeEntries(db: Database, principal: Principal, entry_ids: number[], actor: Actor) {
  const ids = [...new Set(entry_ids)];
  const own = visibleEntries(principal, actor.action_date, among(journalEntry.id, ids));
  const existing = sql`SELECT count(*) FROM ${journalEntry} WHERE ${own}`;
  const blocked = and(own, isOnBlockedTracker(journalEntry.tracker_id));
  const withoutFeature = and(own, sql`NOT ${hasJournal(journalEntry.tracker_id)}`);
  const entries = sql`SELECT ${journalEntry.id} AS id, json_object('tracker_id', ${journalEntry.tracker_id}) AS payload
    FROM ${journalEntry} WHERE ${own}`;
  await write(db, {
    entries: demand(sql`(${existing}) = ${ids.length}`, () => new ApiError(217)),
    unblocked: demand(sql`NOT ${isThere(journalEntry, blocked)}`, () => new ApiError(208)),
    feature: demand(sql`NOT ${isThere(journalEntry, withoutFeature)}`, () => new ApiError(236)),
    record: recordEachChange(db, actor, { is: ["journal_entry", "delete"] }, entries),
    removal: db.delete(journalEntry).where(own),
  });
}

/** True when the principal sees all employees that the entries name; undefined when they name none. */
function employeesExist(principal: Principal, entries: NewJournalEntry[]): SQL | undefined {
  const ids = [...new Set(entries.flatMap(({ employee_id }) => employee_id ?? []))];
  if (ids.length === 0) return undefined;
  return sql`(SELECT count(*) FROM ${employee} WHERE ${visibleTo(principal, employee, among(employee.id, ids))}) = ${ids.length}`;
}

/** True when a row of `new_entry` overlaps a stored entry of its tracker. */
function overlapsAny({ account_id }: Principal, rows: SQL): SQL {
  // Stored entries never overlap, so of those that begin before the end of the new one, the last also ends last.
  const lastBefore = sql`SELECT ${journalEntry.end_date} FROM ${journalEntry} WHERE ${journalEntry.account_id} = ${account_id}
    AND ${journalEntry.tracker_id} = new_entry.value ->> 'tracker_id' AND ${journalEntry.start_date} < new_entry.value ->> 'end_date'
    ORDER BY ${journalEntry.start_date} DESC LIMIT 1`;
  return sql`EXISTS (SELECT 1 FROM ${rows} WHERE (${lastBefore}) > new_entry.value ->> 'start_date')`;
}

/** True when the tracker is blocked. */
function isOnBlockedTracker(tracker_id: typeof journalEntry.tracker_id): SQL {
  return sql`EXISTS (SELECT 1 FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id}
    WHERE ${tracker.id} = ${tracker_id} AND ${source.blocked})`;
}

/** True when the tracker's tariff has the feature `driver_journal`. */
function hasJournal(tracker_id: typeof journalEntry.tracker_id): SQL {
  return sql`EXISTS (SELECT 1 FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id}
    JOIN ${tariff} ON ${tariff.id} = ${source.tariff_id} JOIN json_each(${tariff.features}) AS feature ON feature.value = 'driver_journal'
    WHERE ${tracker.id} = ${tracker_id})`;
}

function rowOf(entry: NewJournalEntry) {
  return {
    ...entry,
    start_address_folded: foldText(entry.start_location.address),
    end_address_folded: foldText(entry.end_location.address),
  };
}

const START = { offset: 0 };
const YEAR_MS = 365 * DAY_MS;
/** A page of the longest entries is some 4 MB. */
const MAX_ROWS_PER_PAGE = 500;
