import type { StoredEvent } from "#shared/contract/event/event.ts";
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

/** The events to notify users of. Those that waited for more than a day are left out: they are no news any more. */
export function pickRecentEvents(rows: EventRow[], now: number): StoredEvent[] {
  return rows.flatMap((row) => {
    const stored = row.undelivered_since ?? 0;
    return now - stored < MAX_EVENT_AGE_MS ? [toStored(row, stored)] : [];
  });
}

async function deliverBatch(db: Database, env: FleetEnv) {
  const rows = await selectUndeliveredEvents(db, MAX_EVENTS_PER_CALL);
  if (rows.length === 0) return 0;
  const recent = pickRecentEvents(rows, nowMs(env));
  if (recent.length > 0) await env.PUSH.enqueue(recent);
  await markEventsDelivered(
    db,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** Leaves out `full_message`: a notification shows the shortened one, `/history/read` the full one. */
function toStored(row: EventRow, stored: number): StoredEvent {
  // Nobody has read an event that is being notified of.
  const { extra, ...entry } = toEntry({ ...row, is_read: false });
  const { full_message, ...rest } = extra;
  return {
    event_id: row.event_id,
    account_id: row.account_id,
    stored,
    entry: { ...entry, extra: rest },
    private_to: row.private_to,
  };
}

const MAX_EVENT_AGE_MS = DAY_MS;
const MAX_EVENTS_PER_CALL = 100;
