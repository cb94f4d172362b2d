import { eq, sql } from "drizzle-orm";
import { selectOutboxByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { outbox } from "../table/device-outbox.ts";
import { removedTracker } from "../table/removed-tracker.ts";
import { source } from "../table/source.ts";
import { tracker } from "../table/tracker.ts";

/**
 * The devices that geo has to hear of, accounts in turn, as they are now: there, or removed. Of one that is neither there
 * is nothing to tell.
 */
export function selectPending(db: Database, most: number) {
  return db
    .select({ outbox_id: outbox.id, account_id: outbox.account_id, source, tracker, removed: removedTracker })
    .from(outbox)
    .leftJoin(source, eq(source.id, outbox.source_id))
    .leftJoin(tracker, sql`${tracker.source_id} = ${source.id} AND NOT ${tracker.clone}`)
    .leftJoin(removedTracker, sql`${removedTracker.source_id} = ${outbox.source_id} AND NOT ${removedTracker.clone}`)
    .where(sql`${outbox.id} IN (${selectOutboxByAccount(outbox, most)})`)
    .all();
}

export async function deletePending(db: Database, ids: number[]) {
  await db.delete(outbox).where(among(outbox.id, ids));
}
