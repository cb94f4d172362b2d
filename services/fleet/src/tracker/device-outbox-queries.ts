import { eq, sql } from "drizzle-orm";
import { selectOutboxByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { deviceOutbox } from "../table/outbox/device-outbox.ts";
import { removedTracker } from "../table/tracker/removed-tracker.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";

/**
 * The devices whose change is not delivered to geo yet, in their current state, present or removed; accounts alternate.
 * A device that is neither (its account was erased) has only its outbox row.
 */
export function selectPendingDevices(db: Database, limit: number) {
  return db
    .select({
      outbox_id: deviceOutbox.id,
      account_id: deviceOutbox.account_id,
      source,
      tracker,
      removed: removedTracker,
    })
    .from(deviceOutbox)
    .leftJoin(source, eq(source.id, deviceOutbox.source_id))
    .leftJoin(tracker, sql`${tracker.source_id} = ${source.id} AND NOT ${tracker.clone}`)
    .leftJoin(
      removedTracker,
      sql`${removedTracker.source_id} = ${deviceOutbox.source_id} AND NOT ${removedTracker.clone}`,
    )
    .where(sql`${deviceOutbox.id} IN (${selectOutboxByAccount(deviceOutbox, limit)})`)
    .all();
}

export async function deletePendingDevices(db: Database, ids: number[]) {
  await db.delete(deviceOutbox).where(among(deviceOutbox.id, ids));
}
