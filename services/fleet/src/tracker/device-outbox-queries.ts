import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import { outbox } from "../table/device-outbox.ts";
import { removedTracker } from "../table/removed-tracker.ts";
import { source } from "../table/source.ts";
import { tracker } from "../table/tracker.ts";

/** The devices that geo has to hear of, as they are now: those that are there, and those that were removed. */
export function selectPending(db: Database) {
  return read(db, { present: selectPresent(db), removed: selectRemoved(db) });
}

export async function deletePending(db: Database, ids: number[]) {
  await db.delete(outbox).where(inArray(outbox.id, ids));
}

function selectPresent(db: Database) {
  return db
    .select({ outbox_id: outbox.id, source, tracker })
    .from(outbox)
    .innerJoin(source, eq(source.id, outbox.source_id))
    .innerJoin(tracker, sql`${tracker.source_id} = ${source.id} AND NOT ${tracker.clone}`)
    .orderBy(asc(outbox.id))
    .limit(DELIVERED);
}

function selectRemoved(db: Database) {
  return db
    .select({ outbox_id: outbox.id, removed: removedTracker })
    .from(outbox)
    .innerJoin(removedTracker, sql`${removedTracker.source_id} = ${outbox.source_id} AND NOT ${removedTracker.clone}`)
    .orderBy(asc(outbox.id))
    .limit(DELIVERED);
}

const DELIVERED = 500;
