import { asc, eq, inArray, sql } from "drizzle-orm";
import { type Database, openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import { outbox } from "../table/device-outbox.ts";
import { removedTracker } from "../table/removed-tracker.ts";
import { source } from "../table/source.ts";
import { tracker } from "../table/tracker.ts";
import { toDevice } from "./queries.ts";
import { toRemovedDevice } from "./removed-queries.ts";

/**
 * Tells geo again of what changed since the last sweep: the call that made a change told it already, unless it died
 * in between. Told is the state as it is now, and its revision keeps an older one from overwriting it.
 */
export async function deliverOutbox(env: FleetEnv) {
  const db = openDatabase(env);
  const [rows, removed] = await db.batch([selectPending(db), selectPendingRemoved(db)]);
  const told = [...rows, ...removed].map(({ outbox_id }) => outbox_id);
  if (told.length === 0) return;
  await env.GEO.putDevices([...rows.map(toDevice), ...removed.map((row) => toRemovedDevice(row.removed))]);
  await db.delete(outbox).where(inArray(outbox.id, told));
}

function selectPending(db: Database) {
  return db
    .select({ outbox_id: outbox.id, source, tracker })
    .from(outbox)
    .innerJoin(source, eq(source.id, outbox.source_id))
    .innerJoin(tracker, sql`${tracker.source_id} = ${source.id} AND NOT ${tracker.clone}`)
    .orderBy(asc(outbox.id))
    .limit(DELIVERED);
}

function selectPendingRemoved(db: Database) {
  return db
    .select({ outbox_id: outbox.id, removed: removedTracker })
    .from(outbox)
    .innerJoin(removedTracker, sql`${removedTracker.source_id} = ${outbox.source_id} AND NOT ${removedTracker.clone}`)
    .orderBy(asc(outbox.id))
    .limit(DELIVERED);
}

const DELIVERED = 500;
