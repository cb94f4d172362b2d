import { sql } from "drizzle-orm";
import { selectOutboxByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { trackerRemoval } from "../table/outbox/tracker-removal.ts";

export type TrackerRemoval = typeof trackerRemoval.$inferSelect;

/** Removed trackers that the tasks service does not know of yet; accounts alternate. */
export function selectTrackerRemovals(db: Database, limit: number): Promise<TrackerRemoval[]> {
  return db
    .select()
    .from(trackerRemoval)
    .where(sql`${trackerRemoval.tracker_id} IN (${selectOutboxByAccount(trackerRemoval, limit)})`)
    .all();
}

export async function deleteTrackerRemovals(db: Database, rows: TrackerRemoval[]) {
  const ids = rows.map(({ tracker_id }) => tracker_id);
  await db.delete(trackerRemoval).where(among(trackerRemoval.tracker_id, ids));
}
