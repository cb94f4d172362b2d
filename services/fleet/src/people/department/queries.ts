import { asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type Page, pageAfter } from "#shared/operation/list-answer.ts";
import { foldText } from "#shared/text/fold.ts";
import { recordChange } from "../../outbox/audit.ts";
import { department } from "../../table/people/department.ts";
import { employee } from "../../table/people/employee.ts";
import { type ChangedDepartment, type Department, type NewDepartment, toDepartment } from "./schema.ts";

/** All departments by id, in pages. */
export async function selectDepartments(db: Database, principal: Principal, after = 0): Promise<Page<Department>> {
  const rows = await db
    .select()
    .from(department)
    .where(visibleTo(principal, department, gt(department.id, after)))
    .orderBy(asc(department.id))
    .limit(MAX_ROWS_PER_PAGE);
  return pageAfter(rows, {
    size: MAX_ROWS_PER_PAGE,
    toItem: toDepartment,
    next: (last) => selectDepartments(db, principal, last),
  });
}

export async function insertDepartment(db: Database, principal: Principal, input: NewDepartment, actor: Actor) {
  const { account_id } = principal;
  const { inserted } = await write(db, {
    quota: demandQuota(principal, "departments", department),
    inserted: db
      .insert(department)
      .values({ ...input, label_folded: foldText(input.label), account_id })
      .returning({ id: department.id }),
    record: recordChange(db, actor, {
      is: ["department", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { label: input.label },
    }),
  });
  return onlyRow(inserted).id;
}

export async function changeDepartment(
  db: Database,
  principal: Principal,
  { id, ...changes }: ChangedDepartment,
  actor: Actor,
) {
  const own = visibleTo(principal, department, eq(department.id, id));
  await write(db, {
    update: db
      .update(department)
      .set({ id, ...rowOf(changes) })
      .where(own),
    department: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, {
      is: ["department", "update"],
      entry_id: id,
      payload: sql`SELECT json_object('label', ${department.label}) FROM ${department} WHERE ${own}`,
    }),
  });
}

/** Deletes a department. Its employees stay without one, including those whose trackers are hidden from the caller. */
export async function removeDepartment(db: Database, principal: Principal, id: number, actor: Actor) {
  await write(db, {
    removal: db.delete(department).where(visibleTo(principal, department, eq(department.id, id))),
    department: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["department", "delete"], entry_id: id }),
    employees: db
      .update(employee)
      .set({ department_id: null })
      .where(visibleTo({ ...principal, scope: "all" }, employee, eq(employee.department_id, id))),
  });
}

/** Condition: the department exists; undefined for null. */
export function departmentExists(principal: Principal, id: number | null): SQL | undefined {
  if (id === null) return undefined;
  return isThere(department, visibleTo(principal, department, eq(department.id, id)));
}

/** The columns that a change sets. */
function rowOf({ label, location }: Omit<ChangedDepartment, "id">) {
  return { label, label_folded: label && foldText(label), location };
}

/** A page of the longest rows is some 3 MB. */
const MAX_ROWS_PER_PAGE = 1000;
