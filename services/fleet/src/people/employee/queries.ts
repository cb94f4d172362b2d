import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { mentions } from "#shared/database/mentions.ts";
import type { Database } from "#shared/database/open.ts";
import { orderBy, type Sortable } from "#shared/database/order.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow, throwIfTaken } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, outdatedError, read, retryOutdated, write } from "#shared/database/steps.ts";
import { type Binding, toBindings } from "#shared/database/tag-binding/queries.ts";
import { carriesRequestedTags } from "#shared/database/tag-binding/requested-tags.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { mergeChanges } from "#shared/operation/changes.ts";
import { foldText } from "#shared/text/fold.ts";
import { recordChange, recordEachChange } from "../../outbox/audit.ts";
import { sizeOf } from "../../search/account-size-queries.ts";
import { type ListFilter, preparePages, selectFiltered } from "../../search/filtered-list-queries.ts";
import type { ListSearch } from "../../search/list-search.ts";
import { matchTexts } from "../../search/text-index-queries.ts";
import { department } from "../../table/people/department.ts";
import { employee } from "../../table/people/employee.ts";
import { tagBinding } from "../../table/tag/tag-binding.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import {
  deleteRemovedBindings,
  insertBindings,
  replaceBindings,
  tagsExist,
  tagsOf,
} from "../../tag/binding-queries.ts";
import { requireBindable, selectBindable } from "../../tracker/queries.ts";
import { departmentExists } from "../department/queries.ts";
import { insertDriverChanges } from "../driver-change/queries.ts";
import { type ChangedEmployee, type Employee, NewEmployee, toEmployee } from "./schema.ts";

/** The columns that employees can be sorted by, under the names of the public API. */
export const SORTABLE: Sortable = {
  id: employee.id,
  ID: employee.id,
  first_name: employee.first_name_folded,
  // Null for an employee without a tracker or department: their labels themselves are never null.
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
  const { tracker_id } = input;
  if (tracker_id !== null) requireBindable(await selectBindable(db, principal, tracker_id), "employee.tracker_id");
  const tags = toBindings(input.tags);
  const { inserted } = await write(db, {
    ...demandLinks(principal, input, tags),
    quota: demandQuota(principal, "employees", sizeOf(principal, "employees")),
    inserted: db
      .insert(employee)
      .values({ ...rowOf(input), account_id: principal.account_id })
      .returning({ id: employee.id }),
    record: recordChange(db, actor, {
      is: ["employee", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: summaryOf(input),
    }),
    tagBindings: insertBindings(db, principal, "employee", employee, tags),
    drivers: insertDriverChanges(db, principal, actor, sql`(SELECT max(id) FROM ${employee})`, input.tracker_id),
  }).catch(throwIfTaken(247));
  return onlyRow(inserted).id;
}

/** Changes an employee. Only a new tracker must be usable: the current one may have been blocked since. */
export function changeEmployee(
  db: Database,
  principal: Principal,
  { id, ...changes }: ChangedEmployee,
  actor: Actor,
): Promise<void> {
  const own = visibleTo(principal, employee, eq(employee.id, id));
  const { tracker_id, tags } = changes;
  const bindings = tags && toBindings(tags);
  return retryOutdated(async () => {
    const { found, tracker = [] } = await read(db, {
      found: db
        .select({ ...SHOWN_COLUMNS, revision })
        .from(employee)
        .where(own),
      tracker: typeof tracker_id === "number" ? selectBindable(db, principal, tracker_id) : undefined,
    });
    const [current] = found;
    if (!current) throw new ApiError(201);
    const input = mergeChanges(NewEmployee, current, changes, "employee");
    const isMoving = input.tracker_id !== null && input.tracker_id !== current.tracker_id;
    if (isMoving) requireBindable(tracker, "employee.tracker_id");
    await write(db, {
      current: demand(isThere(employee, and(own, eq(employee.revision, current.revision))), outdatedError),
      ...demandLinks(principal, input, bindings),
      update: db.update(employee).set(rowOf(input)).where(own),
      record: recordChange(db, actor, { is: ["employee", "update"], entry_id: id, payload: summaryOf(input) }),
      tagBindings: bindings && replaceBindings(db, principal, "employee", id, bindings),
      drivers: insertDriverChanges(db, principal, actor, id, input.tracker_id),
    }).catch(throwIfTaken(247));
  });
}

/** Another account's employee is "not found", too: the answer must not reveal that it exists. */
export async function requireEmployee(db: Database, principal: Principal, id: number): Promise<Employee> {
  const row = await db
    .select(SHOWN_COLUMNS)
    .from(employee)
    .where(visibleTo(principal, employee, eq(employee.id, id)))
    .get();
  if (!row) throw new ApiError(201);
  return toEmployee(row);
}

/** The query for those of the employees that the principal sees. */
export function selectByIds(db: Database, principal: Principal, ids: number[]) {
  return db
    .select({ id: employee.id })
    .from(employee)
    .where(visibleTo(principal, employee, among(employee.id, ids)));
}

/** The query for the employee on the tracker. */
export function selectOnTracker(db: Database, principal: Principal, tracker_id: number) {
  return db
    .select(SHOWN_COLUMNS)
    .from(employee)
    .where(visibleTo(principal, employee, eq(employee.tracker_id, tracker_id)));
}

export async function removeEmployee(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = visibleTo(principal, employee, eq(employee.id, id));
  const entries = sql`SELECT ${employee.id} AS id, json_object('first_name', ${employee.first_name},
    'last_name', ${employee.last_name}, 'tracker_id', ${employee.tracker_id}) AS payload FROM ${employee} WHERE ${own}`;
  await write(db, {
    record: recordEachChange(db, actor, { is: ["employee", "delete"] }, entries),
    removal: db.delete(employee).where(own),
    employee: demandChange(() => new ApiError(201)),
    tagBindings: deleteRemovedBindings(db, "employee", employee, [id]),
    drivers: insertDriverChanges(db, principal, actor, id, null),
  });
}

/** The first page with the number of all matching employees; further pages on demand. */
export function selectEmployees(db: Database, principal: Principal, search: ListSearch) {
  return selectFiltered(db, EMPLOYEES, principal, search, filterOf(principal, search.filter ?? ""));
}

function rowsOf(db: Database, ids: SQL, sort: ListSearch["sort"]) {
  return db
    .select({ employee: SHOWN_COLUMNS })
    .from(employee)
    .leftJoin(tracker, isItsTracker)
    .leftJoin(department, isItsDepartment)
    .where(sql`${employee.id} IN (${ids})`)
    .orderBy(...orderBy(sort, SORTABLE, employee.id));
}

/** Finds employees by their own texts, and by the labels of their tracker and department. */
function filterOf(principal: Principal, filter: string): ListFilter | undefined {
  const texts = matchTexts("employee", principal, filter);
  if (!texts) return undefined;
  const byLabel = (column: SQLiteColumn, table: typeof tracker | typeof department) => {
    const labelled = and(eq(table.account_id, principal.account_id), mentions(table.label_folded, filter));
    const ids = sql`SELECT ${table.id} FROM ${table} WHERE ${labelled}`;
    const isLinked = and(eq(employee.account_id, principal.account_id), sql`${column} IN (${ids})`);
    return sql`SELECT ${employee.id} FROM ${employee} WHERE ${isLinked}`;
  };
  return { texts, otherIds: [byLabel(employee.tracker_id, tracker), byLabel(employee.department_id, department)] };
}

/** The payload of audit records. */
function summaryOf({ first_name, last_name, tracker_id }: NewEmployee) {
  return { first_name, last_name, tracker_id };
}

/** Demands that the department and the tags of the employee exist. */
function demandLinks(principal: Principal, { department_id }: NewEmployee, tags: Binding[] = []) {
  return {
    department: demand(departmentExists(principal, department_id), () =>
      invalid("employee.department_id", "is not a department of yours"),
    ),
    tags: demand(tagsExist(principal, tags), () => invalid("employee.tags", "names a tag that does not exist")),
  };
}

/** The columns of an employee's row, except its account. */
export function rowOf({ tags, ...input }: NewEmployee) {
  const row = {
    ...input,
    first_name_folded: foldText(input.first_name),
    email_folded: foldText(input.email),
    driver_license_number_folded: foldText(input.driver_license_number),
    driver_license_cats_folded: foldText(input.driver_license_cats),
    hardware_key_folded: foldOrNull(input.hardware_key),
    address_folded: foldOrNull(input.location?.address || null),
    personnel_number_folded: foldOrNull(input.personnel_number),
    ssn_folded: foldOrNull(input.ssn),
  };
  const texts = Object.entries(row).filter(([name]) => name.endsWith("_folded"));
  const searched = [...texts.map(([, text]) => text), input.phone, input.driver_license_valid_till];
  const name_folded = foldText(`${input.last_name} ${input.first_name} ${input.middle_name}`);
  return { ...row, name_folded, searched: searched.filter((text) => text !== null).join("\n") };
}

function foldOrNull(text: string | null) {
  return text === null ? null : foldText(text);
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
  ...publicColumns
} = getTableColumns(employee);
const SHOWN_COLUMNS = { ...publicColumns, tags: tagsOf("employee", employee.id) };
const isItsTracker = eq(tracker.id, employee.tracker_id);
const isItsDepartment = eq(department.id, employee.department_id);
/** The longest rows make some 5 MB; a response of the database holds 10 MB. */
const MAX_ROWS_PER_PAGE = 1000;
const EMPLOYEES = {
  table: employee,
  kind: "employees" as const,
  size: MAX_ROWS_PER_PAGE,
  sortable: SORTABLE,
  sortIndexes: { first_name: "employee_account_first_name", email: "employee_account_email" },
  joins: sql`LEFT JOIN ${tracker} ON ${isItsTracker} LEFT JOIN ${department} ON ${isItsDepartment}`,
  rowsOf,
  toItem: ({ employee }: Awaited<ReturnType<typeof rowsOf>>[number]) => toEmployee(employee),
};

/** Employees that carry all of the tags of `requestedTags`, by id, in pages. */
export const taggedEmployees = preparePages(EMPLOYEES, carriesRequestedTags(tagBinding, "employee", employee.id));
