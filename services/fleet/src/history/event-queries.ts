import { asc, type SQL, sql } from "drizzle-orm";
import type { NewEvent } from "#shared/contract/event.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { inTurn } from "#shared/database/turns.ts";
import { employee } from "../table/employee.ts";
import { event } from "../table/event.ts";
import { tracker } from "../table/tracker.ts";
import { vehicle } from "../table/vehicle.ts";

/**
 * For a batch, or on its own: those that are known already, by their ids, are passed over, as are those of no tracker.
 * The message is an expression where only the batch knows it.
 */
export function storeEvents(db: Database, events: NewEvent[], now: number, condition: SQL = sql`TRUE`, message?: SQL) {
  const reports = sql`json_each(${JSON.stringify(events)}) AS report`;
  const member = (name: string) => sql.raw(`report.value ->> '${name}'`);
  return db
    .insert(event)
    .select(
      sql`SELECT NULL, ${member("event_id")}, ${tracker.account_id}, ${tracker.id}, ${member("time")}, ${member("event")},
        ${message ?? member("message")}, 0, coalesce(${sql.raw("report.value ->> '$.extra.emergency'")}, 0), ${member("rule_id")},
        coalesce(${member("track_id")}, 0), ${member("location")}, coalesce(${member("address")}, ''),
        json_set(coalesce(${member("extra")}, '{}'), '$.tracker_label', ${tracker.label}), ${employee.id}, ${vehicle.id},
        iif(${member("is_silent")}, NULL, ${now})
      FROM ${reports} JOIN ${tracker} ON ${tracker.id} = ${member("tracker_id")} AND ${tracker.account_id} = ${member("account_id")}
      LEFT JOIN ${employee} ON ${employee.account_id} = ${tracker.account_id} AND ${employee.tracker_id} = ${tracker.id}
      LEFT JOIN ${vehicle} ON ${vehicle.account_id} = ${tracker.account_id} AND ${vehicle.tracker_id} = ${tracker.id}
      WHERE ${condition}`,
    )
    .onConflictDoNothing();
}

/** What the gateway has not heard of yet, accounts in turn, of each the oldest first. */
export function selectUnreported(db: Database, most: number) {
  const untold = { isWaiting: sql`untold_since IS NOT NULL`, isDue: sql`TRUE`, order: sql`id` };
  return db
    .select()
    .from(event)
    .where(sql`${event.id} IN (${inTurn({ table: event, ...untold }, most)})`)
    .orderBy(asc(event.id));
}

export async function markReported(db: Database, ids: number[]) {
  await db.update(event).set({ untold_since: null }).where(among(event.id, ids));
}
