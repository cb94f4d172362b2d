import { asc, type SQL, sql } from "drizzle-orm";
import type { NewEvent } from "#shared/contract/event/event.ts";
import type { EventNotice } from "#shared/contract/event/service-notice.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { event } from "../table/event.ts";
import { mailOutbox } from "../table/outbox/mail-outbox.ts";
import { employee } from "../table/people/employee.ts";
import { tracker } from "../table/tracker/tracker.ts";
import { vehicle } from "../table/vehicle/vehicle.ts";

/**
 * Step that stores events. Events whose id is known already, and those of unknown trackers, are skipped. `message` is
 * an SQL expression for callers whose message only the database knows.
 */
export function insertEvents(db: Database, events: NewEvent[], now: number, condition: SQL = sql`TRUE`, message?: SQL) {
  const reports = sql`json_each(${JSON.stringify(events)}) AS report`;
  const member = (name: string) => sql.raw(`report.value ->> '${name}'`);
  return db
    .insert(event)
    .select(
      sql`SELECT NULL, ${member("event_id")}, ${tracker.account_id}, ${tracker.id}, ${member("time")}, ${member("event")},
        ${message ?? member("message")}, coalesce(${sql.raw("report.value ->> '$.extra.emergency'")}, 0), ${member("rule_id")},
        coalesce(${member("track_id")}, 0), ${member("location")}, coalesce(${member("address")}, ''),
        json_set(coalesce(${member("extra")}, '{}'), '$.tracker_label', ${tracker.label}), ${employee.id}, ${vehicle.id},
        ${member("private_to")}, ${now}, coalesce(${member("is_silent")}, FALSE)
      FROM ${reports} JOIN ${tracker} ON ${tracker.id} = ${member("tracker_id")} AND ${tracker.account_id} = ${member("account_id")}
      LEFT JOIN ${employee} ON ${employee.account_id} = ${tracker.account_id} AND ${employee.tracker_id} = ${tracker.id}
      LEFT JOIN ${vehicle} ON ${vehicle.account_id} = ${tracker.account_id} AND ${vehicle.tracker_id} = ${tracker.id}
      WHERE ${condition}`,
    )
    .onConflictDoNothing();
}

/**
 * Stores events of other services, and in the same transaction the mails that they cause and the marks on events that
 * they correct (`corrects` is the `event_id` of the wrong event).
 */
export async function storeEvents(db: Database, events: NewEvent[], now: number) {
  const mails = events.flatMap(mailsOf);
  const corrections = events.flatMap(({ event_id, corrects }) => (corrects ? { event_id, corrects } : []));
  const wrong = sql`json_each(${JSON.stringify(corrections)}) AS correction`;
  const wrongId = sql`(SELECT wrong.id FROM ${wrong}, ${event} AS wrong
    WHERE correction.value ->> 'event_id' = ${event.event_id} AND wrong.event_id = correction.value ->> 'corrects')`;
  await write(db, {
    stored: insertEvents(db, events, now),
    named:
      corrections.length > 0
        ? db
            .update(event)
            .set({ extra: sql`json_set(${event.extra}, '$.corrected_id', ${wrongId})` })
            .where(sql`${event.event_id} IN (SELECT correction.value ->> 'event_id' FROM ${wrong})`)
        : undefined,
    marked:
      corrections.length > 0
        ? db
            .update(event)
            .set({ extra: sql`json_set(${event.extra}, '$.corrected', json('true'))` })
            .where(sql`${event.event_id} IN (SELECT correction.value ->> 'corrects' FROM ${wrong})`)
        : undefined,
    mailed: mails.length > 0 ? db.insert(mailOutbox).select(mailRows(mails)).onConflictDoNothing() : undefined,
  });
}

/** Rows of the mail outbox; mails about trackers that do not exist are left out. */
function mailRows(mails: EventNotice[]) {
  return sql`SELECT value ->> 'id', value ->> 'account_id', json_set(value, '$.tracker_label', ${tracker.label}) FROM json_each(${JSON.stringify(mails)})
    JOIN ${tracker} ON ${tracker.id} = value ->> 'tracker_id' AND ${tracker.account_id} = value ->> 'account_id'`;
}

function mailsOf({ event_id, account_id, tracker_id, message, time, emails = [] }: NewEvent): EventNotice[] {
  return [...new Set(emails)].map((to) => ({
    ...{ kind: "event" as const, id: `${event_id} ${to}`, account_id, tracker_id, to, message, time },
    tracker_label: "",
  }));
}

/** Events that are not delivered to the gateway yet, oldest first; accounts alternate. */
export function selectUndeliveredEvents(db: Database, limit: number) {
  const undelivered = { isWaiting: sql`undelivered_since IS NOT NULL`, isDue: sql`TRUE`, order: sql`id` };
  return db
    .select()
    .from(event)
    .where(sql`${event.id} IN (${selectDueByAccount({ table: event, ...undelivered }, limit)})`)
    .orderBy(asc(event.id));
}

export async function markEventsDelivered(db: Database, ids: number[]) {
  await db.update(event).set({ undelivered_since: null }).where(among(event.id, ids));
}
