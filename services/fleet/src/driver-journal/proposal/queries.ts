import { and, asc, desc, eq, gt, lt, lte, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { driverChange } from "../../table/people/driver-change.ts";
import { journalEntry } from "../../table/people/journal-entry.ts";
import { selectCounterRows, toSegmentedCounter } from "../../telemetry/counter/queries.ts";
import { selectVisibleRows } from "../../tracker/queries.ts";

/**
 * Reads what proposals are made of: the tracker with its odometer, the changes of its driver, and the stored entries
 * around the range.
 */
export async function selectProposalInputs(
  db: Database,
  principal: Principal,
  tracker_id: number,
  { from, to }: { from: number; to: number },
) {
  // A track that intersects the range may begin before it and end after it, by at most `MAX_TRACK_MS`.
  const [since, until] = [from - MAX_TRACK_MS, to + MAX_TRACK_MS];
  const onTracker = and(eq(driverChange.account_id, principal.account_id), eq(driverChange.tracker_id, tracker_id));
  const change = { changed: driverChange.changed, employee_id: driverChange.employee_id };
  const { trackers, before, changes, entries, counters } = await read(db, {
    trackers: selectVisibleRows(db, principal, [tracker_id]),
    before: db
      .select(change)
      .from(driverChange)
      .where(and(onTracker, lte(driverChange.changed, since)))
      .orderBy(desc(driverChange.changed), desc(driverChange.id))
      .limit(1),
    changes: db
      .select(change)
      .from(driverChange)
      .where(and(onTracker, gt(driverChange.changed, since), lt(driverChange.changed, until)))
      .orderBy(asc(driverChange.changed), asc(driverChange.id))
      .limit(MAX_ROWS),
    entries: db
      .select({ start_date: journalEntry.start_date, end_date: journalEntry.end_date })
      .from(journalEntry)
      .where(
        and(
          eq(journalEntry.account_id, principal.account_id),
          eq(journalEntry.tracker_id, tracker_id),
          lt(journalEntry.start_date, until),
          sql`${journalEntry.end_date} > ${since}`,
        ),
      )
      .limit(MAX_ROWS),
    counters: selectCounterRows(db, principal, [tracker_id], { type: "odometer", until: since }),
  });
  const [odometer] = counters.map(toSegmentedCounter);
  return { trackers, changes: [...before, ...changes], entries, odometer };
}

const MAX_TRACK_MS = 31 * DAY_MS;
const MAX_ROWS = 10_000;
