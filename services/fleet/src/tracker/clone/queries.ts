import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewClone } from "#shared/contract/tracker.ts";
import type { Database } from "#shared/database/open.ts";
import { taken } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { folded } from "#shared/text/folded.ts";
import { recording } from "../../outbox/audit.ts";
import { employee } from "../../table/employee.ts";
import { source } from "../../table/source.ts";
import { tracker } from "../../table/tracker.ts";
import { vehicle } from "../../table/vehicle.ts";
import { unbindGone } from "../../tag/binding-queries.ts";
import { ofDealer } from "../of-dealer-queries.ts";
import { selectRemoved } from "../removed-queries.ts";

/** By the operator; the account exists. That it has no other clone of the device is the unique index's word. */
export async function insertClone(
  db: Database,
  principal: Principal,
  { tracker_id, user_id, label }: NewClone,
  actor: Actor,
) {
  const payload = { label, tracker_id };
  const record = { entry_id: sql`last_insert_rowid()`, account_id: sql`${user_id}`, payload };
  const own = ofDealer(principal, source, eq(tracker.id, tracker_id));
  const [inserted, , [known], removed] = await db
    .batch([
      db
        .insert(tracker)
        .select(
          sql`SELECT NULL, ${user_id}, ${source.id}, 1, ${label}, ${folded(label)}, 0, NULL, ''
            FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id}
            WHERE ${own} AND NOT ${tracker.clone} AND ${source.account_id} <> ${user_id}`,
        )
        .returning({ id: tracker.id }),
      recording(db, actor, { is: ["tracker", "clone"], ...record }),
      db.select({ clone: tracker.clone }).from(tracker).innerJoin(source, eq(source.id, tracker.source_id)).where(own),
      selectRemoved(db, principal, tracker_id),
    ])
    .catch(taken(247));
  const [clone] = inserted;
  if (clone) return clone.id;
  if (removed.length > 0) throw new ApiError(252);
  if (!known) throw new ApiError(201);
  // What remains is that the account is the owner's.
  throw new ApiError(known.clone ? 219 : 246);
}

/** By its user: nothing but a clone that no vehicle has. */
export async function deleteClone(db: Database, principal: Principal, id: number, actor: Actor) {
  const visible = visibleTo(principal, { account_id: tracker.account_id, tracker_id: tracker.id }, eq(tracker.id, id));
  const holders = and(eq(vehicle.account_id, principal.account_id), eq(vehicle.tracker_id, id));
  // Once it is no more.
  const gone = sql`NOT EXISTS (SELECT 1 FROM ${tracker} WHERE ${tracker.id} = ${id})`;
  const [deleted, , , , [left], vehicles] = await db.batch([
    db
      .delete(tracker)
      .where(and(visible, eq(tracker.clone, true), sql`NOT EXISTS (SELECT 1 FROM ${vehicle} WHERE ${holders})`))
      .returning({ id: tracker.id }),
    recording(db, actor, { is: ["tracker", "delete"], entry_id: id }),
    db
      .update(employee)
      .set({ tracker_id: null })
      .where(and(eq(employee.account_id, principal.account_id), eq(employee.tracker_id, id), gone)),
    unbindGone(db, "tracker", tracker, [id]),
    db.select({ clone: tracker.clone }).from(tracker).where(visible),
    db.select({ id: vehicle.id }).from(vehicle).where(holders),
  ]);
  if (deleted.length > 0) return;
  if (!left) throw new ApiError(201);
  if (!left.clone) throw new ApiError(249);
  throw new ApiError(203, { vehicles: vehicles.map((vehicle) => vehicle.id) });
}
