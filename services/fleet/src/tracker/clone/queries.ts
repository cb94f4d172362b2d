import { and, eq, ne, notExists, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewClone } from "#shared/contract/tracker/tracker.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, throwIfTaken } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { foldText } from "#shared/text/fold.ts";
import { recordChange } from "../../outbox/audit.ts";
import { trackerRemoval } from "../../table/outbox/tracker-removal.ts";
import { employee } from "../../table/people/employee.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";
import { deleteRemovedBindings } from "../../tag/binding-queries.ts";
import { isVisibleToOperator, visibleToOperator } from "../operator-queries.ts";
import { isVisible } from "../origin-queries.ts";
import { demandNotRemoved } from "../removed-queries.ts";

/**
 * Clones a tracker into another account on behalf of an operator, whose caller has checked that the account exists. A
 * unique index refuses a second clone of the device in an account (247).
 */
export async function insertClone(
  db: Database,
  principal: Principal,
  { tracker_id, user_id, label }: NewClone,
  actor: Actor,
) {
  const own = visibleToOperator(principal, source, eq(tracker.id, tracker_id));
  const payload = { label, tracker_id };
  const record = { entry_id: sql`last_insert_rowid()`, account_id: sql`${user_id}`, payload };
  const { inserted } = await write(db, {
    present: demandNotRemoved(db, principal, tracker_id),
    existing: demand(isVisibleToOperator(principal, tracker_id), () => new ApiError(201)),
    original: demand(isVisibleToOperator(principal, tracker_id, eq(tracker.clone, false)), () => new ApiError(219)),
    foreign: demand(
      isVisibleToOperator(principal, tracker_id, ne(source.account_id, user_id)),
      () => new ApiError(246),
    ),
    inserted: db
      .insert(tracker)
      .select(
        sql`SELECT NULL, ${user_id}, ${source.id}, 1, ${label}, ${foldText(label)}, 0, NULL, ''
          FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id} WHERE ${own}`,
      )
      .returning({ id: tracker.id }),
    record: recordChange(db, actor, { is: ["tracker", "clone"], ...record }),
  }).catch(throwIfTaken(247));
  return onlyRow(inserted).id;
}

/**
 * Removes a clone on behalf of its user; 249 for other trackers, 203 with the ids of vehicles that it is assigned to.
 */
export async function removeClone(db: Database, principal: Principal, id: number, actor: Actor) {
  const own = visibleTo(principal, { account_id: tracker.account_id, tracker_id: tracker.id }, eq(tracker.id, id));
  const holders = db
    .select({ id: vehicle.id })
    .from(vehicle)
    .where(and(eq(vehicle.account_id, principal.account_id), eq(vehicle.tracker_id, id)));
  const isRemoved = notExists(db.select().from(tracker).where(eq(tracker.id, id)));
  const { vehicles } = await write(db, {
    visible: demand(isVisible(principal, id), () => new ApiError(201)),
    clone: demand(isVisible(principal, id, eq(tracker.clone, true)), () => new ApiError(249)),
    vehicles: holders,
    removals: db
      .insert(trackerRemoval)
      .select(sql`SELECT ${tracker.id}, ${tracker.account_id} FROM ${tracker} WHERE ${and(own, notExists(holders))}`)
      .onConflictDoNothing(),
    deletion: db.delete(tracker).where(and(own, notExists(holders))),
    record: recordChange(db, actor, { is: ["tracker", "delete"], entry_id: id }),
    employees: db
      .update(employee)
      .set({ tracker_id: null })
      .where(and(eq(employee.account_id, principal.account_id), eq(employee.tracker_id, id), isRemoved)),
    tags: deleteRemovedBindings(db, "tracker", tracker, [id]),
  });
  if (vehicles.length > 0) throw new ApiError(203, { vehicles: vehicles.map((vehicle) => vehicle.id) });
}
