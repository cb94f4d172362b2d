import { type SQL, sql } from "drizzle-orm";
import type { TrackerClone } from "#shared/contract/tasks.ts";
import type { VisitingTracker } from "#shared/contract/visit.ts";
import type { Database } from "#shared/database/open.ts";
import { task } from "../../table/task/task.ts";
import { trackerClone } from "../../table/tracker/tracker-clone.ts";

/** From then on what its tracker does is done by the clone as well. */
export async function insertClones(db: Database, clones: TrackerClone[]) {
  if (clones.length > 0) await db.insert(trackerClone).values(clones).onConflictDoNothing();
}

/** Work of the tracker, or of a clone that shows its points, in whatever account. */
export function isOfFeed({ account_id, tracker_id }: VisitingTracker): SQL {
  return sql`(${task.account_id}, ${task.tracker_id}) IN (SELECT ${account_id}, ${tracker_id} UNION ALL
    SELECT ${trackerClone.account_id}, ${trackerClone.tracker_id} FROM ${trackerClone}
    WHERE ${trackerClone.feed_account_id} = ${account_id} AND ${trackerClone.feed_tracker_id} = ${tracker_id})`;
}
