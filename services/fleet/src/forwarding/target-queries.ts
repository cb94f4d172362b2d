import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { TargetsMessage } from "#shared/contract/retranslation.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { retranslatedTracker } from "../table/forwarding/retranslated-tracker.ts";
import { retranslator } from "../table/forwarding/retranslator.ts";
import { trackerRetranslator } from "../table/forwarding/tracker-retranslator.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";

export type TargetRow = Awaited<ReturnType<typeof selectTargets>>[number];

/** For the batch of a change, behind it: the feeds of these trackers are to hear of it. */
export function markTargetsChanged(db: Database, condition: SQL | undefined) {
  return db
    .update(retranslatedTracker)
    .set({ revision: sql`${retranslatedTracker.revision} + 1`, pending: true })
    .where(condition);
}

/** The trackers that are bound to the retranslator. */
export function isBoundTo(account_id: number, retranslator_id: number, condition?: SQL) {
  const bound = sql`SELECT ${trackerRetranslator.tracker_id} FROM ${trackerRetranslator}
    WHERE ${trackerRetranslator.account_id} = ${account_id} AND ${trackerRetranslator.retranslator_id} = ${retranslator_id}`;
  return and(
    eq(retranslatedTracker.account_id, account_id),
    sql`${retranslatedTracker.tracker_id} IN (${bound})`,
    condition,
  );
}

/** For the batch of a change, at its end: what the feeds of the account's trackers are to hear, as much as one wave takes. */
export function selectTargetsOfAccount(db: Database, { account_id }: Principal, tracker_id?: number) {
  const own = tracker_id === undefined ? undefined : eq(retranslatedTracker.tracker_id, tracker_id);
  return selectTargets(db, and(eq(retranslatedTracker.account_id, account_id), own));
}

/** Those that changed again meanwhile are told once more. */
export function markTargetsDelivered(db: Database, messages: TargetsMessage[]) {
  const delivered = sql`SELECT value ->> 'tracker_id', value ->> 'revision'
    FROM json_each(${JSON.stringify(messages.map(({ tracker_id, revision }) => ({ tracker_id, revision })))})`;
  return db
    .update(retranslatedTracker)
    .set({ pending: false })
    .where(sql`(${retranslatedTracker.tracker_id}, ${retranslatedTracker.revision}) IN (${delivered})`);
}

/** A row for each target, or one without a target. */
function selectTargets(db: Database, condition?: SQL) {
  return selectTargetRows(
    db,
    sql`SELECT ${retranslatedTracker.tracker_id} FROM ${retranslatedTracker}
      WHERE ${and(eq(retranslatedTracker.pending, true), condition)} ORDER BY ${retranslatedTracker.tracker_id} LIMIT ${MAX_TRACKERS_PER_BATCH}`,
  );
}

/** The same of all accounts, in turn. */
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

/** Trackers at a time: with as many retranslators as an account usually may have, on each of them, some 3 MB. */
export const MAX_TRACKERS_PER_BATCH = 50;
