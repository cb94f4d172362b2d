import type { HistoryReport } from "#shared/contract/event/event.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { FleetEnv } from "../env.ts";
import type { EventRow } from "../table/event.ts";
import { markEventsDelivered, selectUndeliveredEvents } from "./event-queries.ts";
import { toEntry } from "./schema.ts";

/**
 * Delivers new events to the gateway until none is left. The gateway recognizes an event that arrives twice by its id.
 */
export async function deliverEvents(env: FleetEnv) {
  const db = openDatabase(env);
  let delivered: number;
  do delivered = await deliverBatch(db, env);
  while (delivered === MAX_EVENTS_PER_CALL);
}

/**
 * The event as it is delivered. Users are notified of it unless it is silent, or waited for more than a day: then it is no
 * news any more. `full_message` is left out: a notification shows the shortened one, `/history/read` the full one.
 */
export function toReport(row: EventRow, now: number): HistoryReport {
  const stored = row.undelivered_since ?? 0;
  // Nobody has read an event that is being delivered.
  const { extra, ...entry } = toEntry({ ...row, is_read: false });
  const { full_message, ...rest } = extra;
  return {
    event_id: row.event_id,
    account_id: row.account_id,
    stored,
    entry: { ...entry, extra: rest },
    private_to: row.private_to,
    is_notified: !row.is_silent && now - stored < MAX_EVENT_AGE_MS,
  };
}

async function deliverBatch(db: Database, env: FleetEnv) {
  const rows = await selectUndeliveredEvents(db, MAX_EVENTS_PER_CALL);
  if (rows.length === 0) return 0;
  const now = nowMs(env);
  await env.PUSH.report(rows.map((row) => toReport(row, now)));
  await markEventsDelivered(
    db,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

const MAX_EVENT_AGE_MS = DAY_MS;
const MAX_EVENTS_PER_CALL = 100;
