import { type SQL, sql } from "drizzle-orm";
import type { VisitingTracker } from "#shared/contract/point/visit.ts";
import type { TrackerClone } from "#shared/contract/tasks.ts";
import type { Database } from "#shared/database/open.ts";
import { task } from "../../table/task/task.ts";
import { trackerClone } from "../../table/tracker/tracker-clone.ts";

/** Remembers clones, so that visits of their originals count for their tasks. */
export async function insertClones(db: Database, clones: TrackerClone[]) {
  if (clones.length > 0) await db.insert(trackerClone).values(clones).onConflictDoNothing();
}

/** True for tasks of the tracker, and for tasks of its clones in any account. */
export function isOfFeed({ account_id, tracker_id }: VisitingTracker): SQL {
  const feed = sql`SELECT ${account_id}, ${tracker_id} UNION ALL
    SELECT ${trackerClone.account_id}, ${trackerClone.tracker_id} FROM ${trackerClone}
    WHERE ${trackerClone.feed_account_id} = ${account_id} AND ${trackerClone.feed_tracker_id} = ${tracker_id}`;
  // Around the UNION another SELECT: without it SQLite scans the tasks of all accounts instead of an index.
  return sql`(${task.account_id}, ${task.tracker_id}) IN (SELECT * FROM (${feed}))`;
}
