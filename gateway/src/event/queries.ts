import { and, eq, getTableColumns, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow, selectObjects } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { type EventRow, event } from "../table/event.ts";
import { eventSequence } from "../table/event-sequence.ts";
import { webhook } from "../table/webhook.ts";
import { typesFor } from "./catalogue.ts";
import { typesOf } from "./type-pattern.ts";

export type EventReader = Pick<Principal, "account_id" | "user_id" | "kind" | "rights" | "scope">;

export type EventSearch = {
  /** The sequence behind which events are read. */
  after: number;
  /** Patterns as of `matchesType`; without them all types. */
  types?: string[];
  limit: number;
};

export type EventPage = {
  events: EventRow[];
  /** Every visible event up to this sequence has been read: the next page begins behind it. */
  through: number;
  /** The sequence of the account's latest event, and of the oldest that is stored (`last + 1` if none is). */
  last: number;
  oldest: number;
};

/**
 * The next events that the reader sees, in the order of their sequence. A page ends after `limit` events, or after
 * `MAX_SEQUENCES_PER_PAGE` sequences, so that a reader of few events reads a bounded number of rows.
 */
export async function selectEvents(
  db: Database,
  reader: EventReader,
  { after, types, limit }: EventSearch,
): Promise<EventPage> {
  const firstSequence = oldestSequenceOf(reader.account_id);
  const end = sql`max(${after}, coalesce(${firstSequence}, 0)) + ${MAX_SEQUENCES_PER_PAGE}`;
  const isNext = and(gt(event.sequence, after), lte(event.sequence, end), types && isOfTypes(typesOf(types)));
  const page = sql`SELECT * FROM ${event} WHERE ${and(isVisible(reader), isNext)} ORDER BY ${event.sequence} LIMIT ${limit}`;
  const found = await selectObjects<{ events: string; last: number; oldest: number | null }>(
    db,
    // One text instead of a thousand values: the server and the client write and read each value on its own.
    sql`SELECT (SELECT json_group_array(${EVENT_JSON}) FROM (${page})) AS events,
      ${lastSequenceOf(reader.account_id)} AS last, ${firstSequence} AS oldest`,
  );
  const { events, last, oldest } = onlyRow(found);
  const rows: EventRow[] = JSON.parse(events);
  const lastRow = rows.at(-1);
  const isFull = lastRow !== undefined && rows.length === limit;
  const scanned = Math.max(after, oldest ?? 0) + MAX_SEQUENCES_PER_PAGE;
  const through = isFull ? lastRow.sequence : Math.max(after, Math.min(last, scanned));
  return { events: rows, through, last, oldest: oldest ?? last + 1 };
}

/** The sequence of the account's latest event; 0 before the first. */
export async function selectLastSequence(db: Database, account_id: number): Promise<number> {
  const rows = await db.select({ last: lastSequenceOf(account_id) }).from(sql`(SELECT 1)`);
  return onlyRow(rows).last;
}

/** The enabled webhooks of the account. */
export async function selectListeners(db: Database, account_id: number): Promise<number[]> {
  const rows = await db
    .select({ id: webhook.id })
    .from(webhook)
    .where(and(eq(webhook.account_id, account_id), eq(webhook.enabled, true)));
  return rows.map(({ id }) => id);
}

/** Events of the account whose type and tracker the reader may see now, without private ones of other users. */
function isVisible({ account_id, user_id, kind, rights, scope }: EventReader): SQL | undefined {
  const own = eq(event.account_id, account_id);
  if (kind === "master") return and(own, or(isNull(event.private_to), eq(event.private_to, user_id)));
  const isOfTracker = isOfTypes(typesFor({ rights }, "tracker"));
  const seen = scope === "all" ? undefined : among(event.tracker_id, scope);
  return and(
    own,
    or(isNull(event.private_to), eq(event.private_to, user_id)),
    or(isOfTypes(typesFor({ rights }, "everyone")), and(isOfTracker, seen), isOwn({ user_id, rights, scope })),
  );
}

/** The reader caused the event, and sees all trackers that its data name. */
function isOwn({ user_id, rights, scope }: Pick<EventReader, "user_id" | "rights" | "scope">): SQL | undefined {
  const own = and(isOfTypes(typesFor({ rights }, "owner")), eq(event.user_id, user_id));
  if (scope === "all") return own;
  const hidden = sql`SELECT 1 FROM json_each(${event.data}, '$.trackers') AS named
    WHERE named.value NOT IN (SELECT value FROM json_each(${JSON.stringify(scope)}))`;
  return and(own, sql`NOT EXISTS (${hidden})`);
}

function isOfTypes(types: string[]): SQL {
  return among(event.type, types);
}

function lastSequenceOf(account_id: number) {
  return sql<number>`coalesce((SELECT ${eventSequence.last} FROM ${eventSequence} WHERE ${eq(eventSequence.account_id, account_id)}), 0)`;
}

function oldestSequenceOf(account_id: number) {
  return sql<number | null>`(SELECT min(${event.sequence}) FROM ${event} WHERE ${eq(event.account_id, account_id)})`;
}

/** A row of the table as JSON: its members have the names of the columns. */
const EVENT_JSON = sql.raw(
  `json_object(${Object.keys(getTableColumns(event))
    .map((name) => (name === "data" ? "'data', json(data)" : `'${name}', ${name}`))
    .join(", ")})`,
);
const MAX_SEQUENCES_PER_PAGE = 10_000;
