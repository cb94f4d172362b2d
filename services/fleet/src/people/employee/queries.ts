import { and, count, eq, exists, getTableColumns, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { orderBy, type Sortable } from "#shared/database/order.ts";
import { only, rowIf, taken } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { inOrder } from "#shared/database/tag-binding/queries.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { type Page, type Part, pageAt } from "#shared/operation/list-answer.ts";
import { anywhere, folded } from "#shared/text/folded.ts";
import { recording } from "../../outbox/audit.ts";
import { department } from "../../table/department.ts";
import { employee } from "../../table/employee.ts";
import { tracker } from "../../table/tracker.ts";
import { bindNew, rebind, tagsExist, tagsOf, unbindRemoved } from "../../tag/bindings.ts";
import { idsContaining } from "../../text-index/find.ts";
import { requireBindable } from "../../tracker/queries.ts";
import { departmentExists } from "../department/queries.ts";
import { keepDriverChanges } from "../driver-change/queries.ts";
import { type Employee, type NewEmployee, toEmployee } from "./schema.ts";

/** Everything that employees are sorted by, under the contract's names. */
export const SORTABLE: Sortable = {
  id: employee.id,
  ID: employee.id,
  first_name: employee.first_name_folded,
  // Null for an employee without a tracker or a department, though neither is without a label.
  object_label: sql`${tracker.label_folded}`,
  department_label: sql`${department.label_folded}`,
  personnel_number: employee.personnel_number_folded,
  hardware_key: employee.hardware_key_folded,
  phone: employee.phone,
  email: employee.email_folded,
  address: employee.address_folded,
  driver_license_number: employee.driver_license_number_folded,
  driver_license_cats: employee.driver_license_cats_folded,
  driver_license_valid_till: employee.driver_license_valid_till,
  ssn: employee.ssn_folded,
};

export async function insertEmployee(db: Database, principal: Principal, input: NewEmployee, actor: Actor) {
  await requireBindable(db, principal, input.tracker_id, "employee.tracker_id");
  const row = { ...rowOf(input), account_id: principal.account_id };
  const tags = inOrder(input.tags);
  const linked = and(departmentExists(principal, input.department_id), tagsExist(principal, tags));
  const [[inserted], , , , , [links]] = await db
    .batch([
      db
        .insert(employee)
        .select(rowIf(employee, row, linked))
        .returning({ id: employee.id }),
      recording(db, actor, {
        is: ["employee", "create"],
        entry_id: sql`last_insert_rowid()`,
        payload: summaryOf(input),
      }),
      bindNew(db, principal, "employee", employee, tags),
      ...keepDriverChanges(db, principal, actor, sql`(SELECT max(id) FROM ${employee})`, input.tracker_id),
      selectLinks(db, principal, input),
    ])
    .catch(taken(247));
  if (!inserted) throw missingLink(links);
  return inserted.id;
}

export async function changeEmployee(
  db: Database,
  principal: Principal,
  { id, ...input }: NewEmployee & { id: number },
  actor: Actor,
) {
  await requireBindable(db, principal, input.tracker_id, "employee.tracker_id");
  const wanted = visibleTo(principal, employee, eq(employee.id, id));
  const tags = inOrder(input.tags);
  const linked = and(departmentExists(principal, input.department_id), tagsExist(principal, tags));
  const found = db.select({ id: employee.id }).from(employee).where(wanted);
  // Without the department or a tag nothing is changed: whether there is the employee at all tells what is missing.
  const [updated, , , , , , known, [links]] = await db
    .batch([
      db.update(employee).set(rowOf(input)).where(and(wanted, linked)).returning({ id: employee.id }),
      recording(db, actor, { is: ["employee", "update"], entry_id: id, payload: summaryOf(input) }),
      ...rebind(db, principal, "employee", id, tags, and(exists(found), linked)),
      ...keepDriverChanges(db, principal, actor, id, input.tracker_id),
      found,
      selectLinks(db, principal, input),
    ])
    .catch(taken(247));
  if (known.length === 0) throw new ApiError(201);
  if (updated.length === 0) throw missingLink(links);
}

/** Another account's employee is "not found" too: the answer must not reveal that it exists. */
export async function requireEmployee(db: Database, principal: Principal, id: number): Promise<Employee> {
  const row = await db
    .select(shown)
    .from(employee)
    .where(visibleTo(principal, employee, eq(employee.id, id)))
    .get();
  if (!row) throw new ApiError(201);
  return toEmployee(row);
}

/** For a batch: those of these that the principal sees. */
export function selectByIds(db: Database, principal: Principal, ids: number[]) {
  return db
    .select({ id: employee.id })
    .from(employee)
    .where(visibleTo(principal, employee, among(employee.id, ids)));
}

/** For a batch: whoever is on the tracker. */
export function selectOnTracker(db: Database, principal: Principal, tracker_id: number) {
  return db
    .select(shown)
    .from(employee)
    .where(visibleTo(principal, employee, eq(employee.tracker_id, tracker_id)));
}

export async function removeEmployee(db: Database, principal: Principal, id: number, actor: Actor) {
  const [deleted] = await db.batch([
    db
      .delete(employee)
      .where(visibleTo(principal, employee, eq(employee.id, id)))
      .returning({ id: employee.id }),
    recording(db, actor, { is: ["employee", "delete"], entry_id: id }),
    unbindRemoved(db, "employee", employee, [id]),
    ...keepDriverChanges(db, principal, actor, id, null),
  ]);
  if (deleted.length === 0) throw new ApiError(201);
}

type Wanted = Part & { filter: string | null; sort: string[] | null };

/** The first page with the count of all, then page after page. */
export async function selectEmployees(db: Database, principal: Principal, wanted: Wanted) {
  const all = visibleTo(principal, employee);
  if (wanted.filter) return selectFound(db, principal, containing(principal, wanted.filter), wanted);
  const [rows, counted] = await db.batch([pageOf(db, all, wanted), countOf(db, all)]);
  return { count: only(counted).count, page: pageFrom(db, all, wanted, rows) };
}

/** In one look through the account: each row of the first page knows how many there are. */
async function selectFound(db: Database, principal: Principal, condition: SQL | undefined, wanted: Wanted) {
  const visible = visibleTo(principal, employee, condition);
  const rows = await pageOf(db, visible, wanted, sql`count(*) OVER ()`);
  // Behind the end, or of a page of none, there is no row that could tell.
  const count = rows[0]?.total ?? only(await countOf(db, visible)).count;
  return { count, page: pageFrom(db, visible, wanted, rows) };
}

function countOf(db: Database, condition: SQL | undefined) {
  return db.select({ count: count() }).from(employee).where(condition);
}

/** Those that the condition picks, by id, page after page. */
export async function employeesWhere(db: Database, principal: Principal, condition: SQL): Promise<Page<Employee>> {
  const visible = visibleTo(principal, employee, condition);
  const all = { filter: null, sort: null, offset: 0 };
  return pageFrom(db, visible, all, await pageOf(db, visible, all));
}

function pageFrom(db: Database, visible: SQL | undefined, wanted: Wanted, rows: Row[]): Page<Employee> {
  const read = (part: Part) => pageOf(db, visible, { ...wanted, ...part });
  return pageAt(rows, wanted, { size: PAGE, read, toItem: ({ employee }) => toEmployee(employee) });
}

function pageOf(
  db: Database,
  visible: SQL | undefined,
  { sort, limit = PAGE, offset }: Wanted,
  total: SQL<number | null> = sql`NULL`,
) {
  // The order's columns alone are sorted; the rows are fetched for those that the page shows.
  const ids = db
    .select({ id: employee.id, total: total.as("total") })
    .from(employee)
    .leftJoin(tracker, trackerOf)
    .leftJoin(department, departmentOf)
    .where(visible)
    .orderBy(...orderBy(sort, SORTABLE, employee.id))
    .limit(Math.min(limit, PAGE))
    .offset(offset)
    .as("ids");
  return db
    .select({ employee: shown, total: ids.total })
    .from(ids)
    .innerJoin(employee, eq(employee.id, ids.id))
    .leftJoin(tracker, trackerOf)
    .leftJoin(department, departmentOf)
    .orderBy(...orderBy(sort, SORTABLE, employee.id));
}

type Row = Awaited<ReturnType<typeof pageOf>>[number];

/**
 * Any of the properties that employees are sorted by. By their ids, whatever the order is to be; for a short filter from
 * an index that holds the texts side by side.
 */
function containing(principal: Principal, filter: string) {
  const pattern = anywhere(filter);
  const like = (text: SQL | SQLiteColumn) => sql`${text} LIKE ${pattern} ESCAPE '\\'`;
  const labelled = (table: typeof tracker | typeof department) =>
    sql`(SELECT ${table.id} FROM ${table} WHERE ${eq(table.account_id, principal.account_id)} AND ${like(table.label_folded)})`;
  const byLabel = [
    sql`${employee.tracker_id} IN ${labelled(tracker)}`,
    sql`${employee.department_id} IN ${labelled(department)}`,
  ];
  const looked = (condition: SQL | undefined) =>
    sql`SELECT ${employee.id} FROM ${employee} WHERE ${visibleTo(principal, employee, condition)}`;
  const indexed = idsContaining("employee_text", principal, filter);
  const ids = indexed
    ? sql.join([indexed, ...byLabel.map(looked)], sql` UNION `)
    : looked(or(like(employee.searched), ...byLabel, like(sql`CAST(${employee.id} AS TEXT)`)));
  return sql`${employee.id} IN (${ids})`;
}

/** For the audit log. */
function summaryOf({ first_name, last_name, tracker_id }: NewEmployee) {
  return { first_name, last_name, tracker_id };
}

/** Whether what the employee refers to is there. */
function selectLinks(db: Database, principal: Principal, { department_id }: NewEmployee) {
  const department = departmentExists(principal, department_id) ?? sql`TRUE`;
  return db.select({ department: sql<number>`${department}` }).from(sql`(SELECT 1)`);
}

function missingLink(links: { department: number } | undefined) {
  if (links?.department === 0) return invalid("employee.department_id", "is not a department of yours");
  return invalid("employee.tags", "names a tag that does not exist");
}

/** The columns of its row but for its account. */
export function rowOf({ tags, ...input }: NewEmployee) {
  const row = {
    ...input,
    first_name_folded: folded(input.first_name),
    email_folded: folded(input.email),
    driver_license_number_folded: folded(input.driver_license_number),
    driver_license_cats_folded: folded(input.driver_license_cats),
    hardware_key_folded: foldedOrNull(input.hardware_key),
    address_folded: foldedOrNull(input.location?.address || null),
    personnel_number_folded: foldedOrNull(input.personnel_number),
    ssn_folded: foldedOrNull(input.ssn),
  };
  const texts = Object.entries(row).filter(([name]) => name.endsWith("_folded"));
  const searched = [...texts.map(([, text]) => text), input.phone, input.driver_license_valid_till];
  const name_folded = folded(`${input.last_name} ${input.first_name} ${input.middle_name}`);
  return { ...row, name_folded, searched: searched.filter((text) => text !== null).join("\n") };
}

function foldedOrNull(text: string | null) {
  return text === null ? null : folded(text);
}

const {
  account_id,
  revision,
  searched,
  first_name_folded,
  email_folded,
  driver_license_number_folded,
  driver_license_cats_folded,
  hardware_key_folded,
  address_folded,
  personnel_number_folded,
  ssn_folded,
  name_folded,
  ...ofRow
} = getTableColumns(employee);
const shown = { ...ofRow, tags: tagsOf("employee", employee.id) };
const trackerOf = eq(tracker.id, employee.tracker_id);
const departmentOf = eq(department.id, employee.department_id);
/** The longest rows there can be make some 5 MB of it, and a response of the database holds 10. */
const PAGE = 1000;
