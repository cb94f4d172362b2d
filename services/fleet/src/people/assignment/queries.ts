import { and, eq, exists, ne, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recording } from "../../outbox/audit.ts";
import { employee } from "../../table/employee.ts";
import type { Place } from "../../tracker/last-place.ts";
import { keepDriverChanges, selectLastChange } from "../driver-change/queries.ts";
import { selectOnTracker } from "../employee/queries.ts";

type Assignment = { tracker_id: number; employee_id: number | null; place: Place | null };

/** One transaction: whoever was on the tracker leaves it, and the employee whatever tracker it was on. */
export async function assignEmployee(
  db: Database,
  principal: Principal,
  { tracker_id, employee_id, place }: Assignment,
  actor: Actor,
) {
  const onTracker = and(eq(employee.account_id, principal.account_id), eq(employee.tracker_id, tracker_id));
  const wanted = visibleTo(principal, employee, eq(employee.id, employee_id ?? 0));
  const elsewhere = and(wanted, sql`${employee.tracker_id} IS NOT ${tracker_id}`);
  const holder = db.select({ id: employee.id }).from(employee).where(onTracker);
  const comer = db.select({ id: employee.id }).from(employee).where(elsewhere);
  const leaves = employee_id === null ? onTracker : and(onTracker, ne(employee.id, employee_id), exists(comer));
  const payload = { employee_id };
  const [recorded, , , , , known] = await db.batch([
    recording(
      db,
      actor,
      { is: ["tracker", "employee_assign"], entry_id: tracker_id, payload },
      exists(employee_id === null ? holder : comer),
    ).returning(),
    db.update(employee).set({ tracker_id: null }).where(leaves),
    db.update(employee).set({ tracker_id }).where(elsewhere),
    ...keepDriverChanges(db, principal, actor, employee_id ?? 0, tracker_id, place),
    db.select({ id: employee.id }).from(employee).where(wanted),
  ]);
  if (recorded.length > 0) return;
  throw new ApiError(employee_id !== null && known.length === 0 ? 201 : 263);
}

/** Who is on the tracker, and since when. */
export async function selectAssignment(db: Database, principal: Principal, tracker_id: number) {
  const [[current], [last]] = await db.batch([
    selectOnTracker(db, principal, tracker_id),
    selectLastChange(db, principal, tracker_id),
  ]);
  return { current, last };
}
