import { and, asc, eq, gt, gte, isNotNull, sql } from "drizzle-orm";
import {
  type ChangedWork,
  MAX_TRACKERS_PER_WORK_PAGE,
  type StopList,
  type VisitingTracker,
} from "#shared/contract/point/visit.ts";
import type { Database } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import { task } from "../../table/task/task.ts";
import { trackerWork } from "../../table/tracker/tracker-work.ts";
import { isOfFeed } from "./clone-queries.ts";
import { toStop } from "./stop.ts";

/** A page of trackers whose stops have changed after the revision. */
export function selectChangedWork(db: Database, account_id: number, revision: number): Promise<ChangedWork[]> {
  return db
    .select({ tracker_id: trackerWork.tracker_id, revision: trackerWork.revision })
    .from(trackerWork)
    .where(and(eq(trackerWork.account_id, account_id), gt(trackerWork.revision, revision)))
    .orderBy(asc(trackerWork.revision))
    .limit(MAX_TRACKERS_PER_WORK_PAGE)
    .all();
}

/**
 * The stops of a tracker with a deadline after `since`, earliest deadline first. Ended tasks are included, because late
 * points may change their outcome.
 */
export async function selectStops(
  db: Database,
  { account_id, tracker_id }: VisitingTracker,
  since: number,
): Promise<StopList> {
  const { work, rows } = await read(db, {
    work: db
      .select({ revision: trackerWork.revision })
      .from(trackerWork)
      .where(and(eq(trackerWork.account_id, account_id), eq(trackerWork.tracker_id, tracker_id))),
    rows: db
      .select()
      .from(task)
      .where(
        and(
          isOfFeed({ account_id, tracker_id }),
          // Written as in the partial index, so that SQLite uses it.
          sql`deadline IS NOT NULL`,
          gte(task.deadline, since),
          isNotNull(task.location),
        ),
      )
      .orderBy(asc(task.deadline))
      .limit(MAX_STOPS_PER_TRACKER + 1),
  });
  const stops = rows.slice(0, MAX_STOPS_PER_TRACKER).flatMap((row) => toStop(row) ?? []);
  return { revision: work[0]?.revision ?? 0, stops, is_whole: rows.length <= MAX_STOPS_PER_TRACKER };
}

/** Limits the stops that a feed tracks at once. */
const MAX_STOPS_PER_TRACKER = 2000;
