import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../outbox/audit.ts";
import { employee } from "../../table/people/employee.ts";
import type { LastPosition } from "../../tracker/last-position.ts";
import { insertDriverChanges, selectLastChange } from "../driver-change/queries.ts";
import { selectOnTracker } from "../employee/queries.ts";

type Assignment = { tracker_id: number; employee_id: number | null; position: LastPosition | null };

/**
 * Assigns the employee to the tracker: in one transaction the former driver leaves it, and the employee leaves any
 * other tracker.
 */
export async function assignEmployee(
  db: Database,
  principal: Principal,
  { tracker_id, employee_id, position }: Assignment,
  actor: Actor,
) {
  const onTracker = and(eq(employee.account_id, principal.account_id), eq(employee.tracker_id, tracker_id));
  const isChosen = visibleTo(principal, employee, eq(employee.id, employee_id ?? 0));
  const isMoving = and(isChosen, sql`${employee.tracker_id} IS NOT ${tracker_id}`);
  const isNobody = employee_id === null;
  const record = { is: ["tracker", "employee_assign"] as const, entry_id: tracker_id, payload: { employee_id } };
  await write(db, {
    employee: demand(isNobody ? undefined : isThere(employee, isChosen), () => new ApiError(201)),
    difference: demand(isThere(employee, isNobody ? onTracker : isMoving), () => new ApiError(263)),
    leave: db.update(employee).set({ tracker_id: null }).where(onTracker),
    come: isNobody ? undefined : db.update(employee).set({ tracker_id }).where(isChosen),
    record: recordChange(db, actor, record),
    drivers: insertDriverChanges(db, principal, actor, employee_id ?? 0, tracker_id, position),
  });
}

/** The employee on the tracker, and the last change of it. */
export async function selectAssignment(db: Database, principal: Principal, tracker_id: number) {
  const {
    current: [current],
    last: [last],
  } = await read(db, {
    current: selectOnTracker(db, principal, tracker_id),
    last: selectLastChange(db, principal, tracker_id),
  });
  return { current, last };
}
