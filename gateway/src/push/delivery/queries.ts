import { asc, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { HistoryEntry, StoredEvent } from "#shared/contract/event/event.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { credential } from "../../table/credential.ts";
import { isOpen, pushDelivery } from "../../table/push/push-delivery.ts";
import { pushEvent } from "../../table/push/push-event.ts";
import { type PushApplication, pushToken } from "../../table/push/push-token.ts";
import { subUserTracker } from "../../table/sub-user-tracker.ts";
import { user } from "../../table/user.ts";
import { categoryOf, type PushCategory } from "../categories.ts";

/** A delivery that is leased to this Worker. */
export type DueDelivery = {
  id: number;
  key: string;
  application: PushApplication;
  endpoint: string;
  parameters: { p256dh: string; auth: string } | null;
  /** Failed tries of the token in a row. */
  tries: number;
  category: PushCategory;
  entry: HistoryEntry;
  stored: number;
  time_zone: string;
  /** True if the session has not ended and its user sees the tracker. */
  is_visible: boolean;
};

/** The result of a try. `due`: when to try the token again, in ms; null removes the token. */
export type DeliveryAttempt = {
  id: number;
  key: string;
  endpoint: string;
  isOver: boolean;
  due: number | null;
  tries: number;
};

/**
 * Stores deliveries of the events to all push tokens that want them. Events that were stored before are ignored. True if a
 * token became due.
 */
export async function insertDeliveries(
  db: Database,
  events: StoredEvent[],
  applications: readonly PushApplication[],
  now: number,
): Promise<boolean> {
  if (events.length === 0) return false;
  // VALUES instead of `json_each`: the server occasionally refuses members taken from a JSON value as malformed.
  const rows = events.map(({ event_id, account_id, stored, entry, private_to }, index) => {
    const { tracker_id } = entry;
    return sql`(${index}, ${event_id}, ${account_id}, ${tracker_id}, ${categoryOf(entry)}, ${JSON.stringify(entry)}, ${stored}, ${private_to ?? null})`;
  });
  const reports = sql`(VALUES ${sql.join(rows, sql`, `)}) AS report`;
  const reported = {
    account_id: sql.raw("report.column3"),
    tracker_id: sql.raw("report.column4"),
    category: sql.raw("report.column5"),
    private_to: sql.raw("report.column8"),
  };
  const ids = events.map(({ event_id }) => event_id);
  const { due } = await write(db, {
    events: db
      .insert(pushEvent)
      .select(
        sql`SELECT NULL, column2, column3, column4, column5, column6, column7, column8 FROM ${reports}
        WHERE EXISTS (SELECT 1 FROM ${pushToken} WHERE ${wantsEvent(reported, applications, now)}) ORDER BY column1`,
      )
      .onConflictDoNothing(),
    deliveries: db
      .insert(pushDelivery)
      .select(
        sql`SELECT NULL, ${pushEvent.id}, ${pushToken.key}, 0 FROM ${pushEvent} JOIN ${pushToken} ON ${wantsEvent(pushEvent, applications, now)}
        WHERE ${among(pushEvent.event_id, ids)} ORDER BY ${pushEvent.id}`,
      )
      .onConflictDoNothing(),
    // Only tokens without a due time: the others are being sent to, or wait for their retry.
    due: db
      .update(pushToken)
      .set({ due: now })
      .where(
        sql`${pushToken.due} IS NULL AND ${pushToken.key} IN (SELECT ${pushDelivery.key} FROM ${pushDelivery}
          JOIN ${pushEvent} ON ${pushEvent.id} = ${pushDelivery.push_event_id}
          WHERE ${isOpen} AND ${among(pushEvent.event_id, ids)})`,
      )
      .returning({ key: pushToken.key }),
  });
  return due.length > 0;
}

/**
 * Stores finished attempts, and leases the oldest open delivery of at most `limit` due tokens until `until`, alternating
 * between accounts. One write for both, because a session may end between two.
 */
export async function storeAttemptsAndClaim(
  db: Database,
  attempts: DeliveryAttempt[],
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<DueDelivery[]> {
  const finished = attempts.flatMap(({ id, isOver }) => (isOver ? [id] : []));
  const attempted = sql`json_each(${JSON.stringify(attempts)})`;
  // A token that its session has replaced meanwhile is not affected by the attempt.
  const isAttempted = sql`value ->> 'key' = ${pushToken.key} AND value ->> 'endpoint' = ${pushToken.token}`;
  const waiting = { table: pushToken, isWaiting: sql`due IS NOT NULL`, isDue: sql`due <= ${now}`, order: sql`due` };
  const isDue = sql`${pushToken}.rowid IN (${selectDueByAccount(waiting, limit)})`;
  const oldest = sql`(SELECT min(id) FROM ${pushDelivery} WHERE ${pushDelivery.key} = ${pushToken.key} AND ${isOpen})`;
  const { claimed } = await write(db, {
    finished: db.update(pushDelivery).set({ is_over: true }).where(among(pushDelivery.id, finished)),
    removed: db
      .delete(pushToken)
      .where(sql`EXISTS (SELECT 1 FROM ${attempted} WHERE ${isAttempted} AND value ->> 'due' IS NULL)`),
    attempted: db
      .update(pushToken)
      .set({
        due: sql`(SELECT value ->> 'due' FROM ${attempted} WHERE ${isAttempted})`,
        tries: sql`(SELECT value ->> 'tries' FROM ${attempted} WHERE ${isAttempted})`,
      })
      .where(sql`EXISTS (SELECT 1 FROM ${attempted} WHERE ${isAttempted})`),
    claimed: db
      .select({
        id: pushDelivery.id,
        key: pushToken.key,
        application: pushToken.application,
        endpoint: pushToken.token,
        parameters: pushToken.parameters,
        tries: pushToken.tries,
        category: pushEvent.category,
        entry: pushEvent.entry,
        stored: pushEvent.stored,
        time_zone: user.time_zone,
        is_visible: sql<number>`${canSeeTracker(pushEvent.tracker_id, now)}`.mapWith(Boolean),
      })
      .from(pushToken)
      .innerJoin(pushDelivery, sql`${pushDelivery.id} = ${oldest}`)
      .innerJoin(pushEvent, sql`${pushEvent.id} = ${pushDelivery.push_event_id}`)
      .innerJoin(user, sql`${user.id} = ${pushToken.user_id}`)
      .where(isDue),
    leased: db
      .update(pushToken)
      .set({ due: sql`iif(${oldest} IS NULL, NULL, ${until})` })
      .where(isDue),
  });
  return claimed;
}

/** Deletes events that the fleet service delivers no more; at most `MAX_ROWS_PER_SWEEP` at once. */
export async function sweepPushes(db: Database, now: number) {
  const old = db
    .select({ id: pushEvent.id })
    .from(pushEvent)
    .where(lt(pushEvent.stored, now - RETENTION_MS))
    .orderBy(asc(pushEvent.stored))
    .limit(MAX_ROWS_PER_SWEEP);
  await write(db, {
    deliveries: db.delete(pushDelivery).where(inArray(pushDelivery.push_event_id, old)),
    events: db.delete(pushEvent).where(inArray(pushEvent.id, old)),
  });
}

type EventColumns = Record<"account_id" | "tracker_id" | "category" | "private_to", SQL | SQLiteColumn>;

/** Condition: the token's application is reachable, and its user wants and may see the event. */
function wantsEvent(
  { account_id, tracker_id, category, private_to }: EventColumns,
  applications: readonly PushApplication[],
  now: number,
) {
  const { category_filter } = pushToken;
  const isListed = sql`instr(',' || ltrim(${category_filter}, '-') || ',', ',' || ${category} || ',') > 0`;
  return sql`(${pushToken.account_id} = ${account_id} AND ${inArray(pushToken.application, [...applications])}
    AND coalesce(${private_to}, ${pushToken.user_id}) = ${pushToken.user_id}
    AND (${category_filter} = '*' OR (${isListed}) <> (${category_filter} LIKE '-%')) AND ${canSeeTracker(tracker_id, now)})`;
}

/** Condition: the token's session has not ended, and its user is active and sees the tracker. The guard tests the same. */
function canSeeTracker(tracker_id: SQL | SQLiteColumn, now: number) {
  return sql`EXISTS (SELECT 1 FROM ${credential} JOIN ${user} AS owner ON owner.id = ${credential.user_id}
    LEFT JOIN ${user} AS master ON master.id = owner.master_id
    WHERE ${credential.key} = ${pushToken.key} AND ${credential.expires_at} > ${now} AND (owner.master_id IS NULL
      OR (owner.activated AND NOT master.blocked AND EXISTS (SELECT 1 FROM ${subUserTracker}
        WHERE ${subUserTracker.sub_user_id} = owner.id AND ${subUserTracker.tracker_id} = ${tracker_id}))))`;
}

/** The fleet service retries the delivery of an event for a day. */
const RETENTION_MS = 2 * DAY_MS;
const MAX_ROWS_PER_SWEEP = 500;
