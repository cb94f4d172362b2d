import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { TargetsMessage } from "#shared/contract/tracker/retranslation.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { retranslatedTracker } from "../table/forwarding/retranslated-tracker.ts";
import { retranslator } from "../table/forwarding/retranslator.ts";
import { trackerRetranslator } from "../table/forwarding/tracker-retranslator.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";

export type TargetRow = Awaited<ReturnType<typeof selectTargets>>[number];

/** Step behind a change of targets: marks these trackers, so that their new targets are delivered to their feeds. */
export function markTargetsChanged(db: Database, condition: SQL | undefined) {
  return db
    .update(retranslatedTracker)
    .set({ revision: sql`${retranslatedTracker.revision} + 1`, pending: true })
    .where(condition);
}

/** Condition on `retranslated_tracker`: the tracker is bound to the retranslator. */
export function isBoundTo(account_id: number, retranslator_id: number, condition?: SQL) {
  const bound = sql`SELECT ${trackerRetranslator.tracker_id} FROM ${trackerRetranslator}
    WHERE ${trackerRetranslator.account_id} = ${account_id} AND ${trackerRetranslator.retranslator_id} = ${retranslator_id}`;
  return and(
    eq(retranslatedTracker.account_id, account_id),
    sql`${retranslatedTracker.tracker_id} IN (${bound})`,
    condition,
  );
}

/** Last step of a change: the undelivered targets of the account's trackers, at most one batch. */
export function selectTargetsOfAccount(db: Database, { account_id }: Principal, tracker_id?: number) {
  const own = tracker_id === undefined ? undefined : eq(retranslatedTracker.tracker_id, tracker_id);
  return selectTargets(db, and(eq(retranslatedTracker.account_id, account_id), own));
}

/** Marks the messages as delivered. A tracker whose revision has grown since stays undelivered. */
export function markTargetsDelivered(db: Database, messages: TargetsMessage[]) {
  const delivered = sql`SELECT value ->> 'tracker_id', value ->> 'revision'
    FROM json_each(${JSON.stringify(messages.map(({ tracker_id, revision }) => ({ tracker_id, revision })))})`;
  return db
    .update(retranslatedTracker)
    .set({ pending: false })
    .where(sql`(${retranslatedTracker.tracker_id}, ${retranslatedTracker.revision}) IN (${delivered})`);
}

/** A row per tracker and target; one row without a target for a tracker that has none. */
function selectTargets(db: Database, condition?: SQL) {
  return selectTargetRows(
    db,
    sql`SELECT ${retranslatedTracker.tracker_id} FROM ${retranslatedTracker}
      WHERE ${and(eq(retranslatedTracker.pending, true), condition)} ORDER BY ${retranslatedTracker.tracker_id} LIMIT ${MAX_TRACKERS_PER_BATCH}`,
  );
}

/** The undelivered targets of one batch of trackers of all accounts; accounts alternate. */
export function selectUndeliveredTargets(db: Database) {
  const pending = { isWaiting: sql`pending`, isDue: sql`TRUE`, order: sql`tracker_id` };
  return selectTargetRows(db, selectDueByAccount({ table: retranslatedTracker, ...pending }, MAX_TRACKERS_PER_BATCH));
}

function selectTargetRows(db: Database, tracker_ids: SQL) {
  return db
    .select({
      tracker_id: retranslatedTracker.tracker_id,
      account_id: retranslatedTracker.account_id,
      revision: retranslatedTracker.revision,
      device_id: source.device_id,
      fake_device_id: trackerRetranslator.fake_device_id,
      target: retranslator,
    })
    .from(retranslatedTracker)
    .innerJoin(tracker, eq(tracker.id, retranslatedTracker.tracker_id))
    .innerJoin(source, eq(source.id, tracker.source_id))
    .leftJoin(
      trackerRetranslator,
      and(
        eq(trackerRetranslator.account_id, retranslatedTracker.account_id),
        eq(trackerRetranslator.tracker_id, retranslatedTracker.tracker_id),
      ),
    )
    .leftJoin(
      retranslator,
      and(eq(retranslator.id, trackerRetranslator.retranslator_id), eq(retranslator.enabled, true)),
    )
    .where(sql`${retranslatedTracker.tracker_id} IN (${tracker_ids})`)
    .orderBy(asc(retranslatedTracker.tracker_id), asc(retranslator.id));
}

/** With the usual number of retranslators on each tracker, a batch is some 3 MB. */
export const MAX_TRACKERS_PER_BATCH = 50;
