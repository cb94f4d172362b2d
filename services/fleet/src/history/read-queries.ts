import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { event } from "../table/event.ts";
import { eventReader } from "../table/event-reader.ts";
import { readEvent } from "../table/read-event.ts";

type Reader = Pick<Principal, "account_id" | "user_id">;

/** The user has not read the event. */
export function isUnreadBy(reader: Reader): SQL {
  // The plus keeps SQLite from looking events up by id: lists are in the order of time.
  return sql`(+${event.id} > ${readUpTo(reader)} AND ${isNotMarked(reader)})`;
}

/** Like `isUnreadBy`, for counts: reads only events behind the last one up to which the user has read all. */
export function isUnreadById(reader: Reader): SQL {
  return sql`(${event.id} > ${readUpTo(reader)} AND ${isNotMarked(reader)})`;
}

/** The columns of an event, with the mark of this user. */
export function eventColumnsFor(reader: Reader) {
  return { ...getTableColumns(event), is_read: sql<boolean>`NOT ${isUnreadBy(reader)}`.mapWith(Boolean) };
}

/** Marks the event that meets the condition as read by the user; 201 if there is none that it has not read. */
export async function markRead(db: Database, reader: Reader, isVisible: SQL | undefined) {
  const { account_id, user_id } = reader;
  const ofUser = and(eq(readEvent.account_id, account_id), eq(readEvent.user_id, user_id));
  const { marked } = await write(db, {
    marked: db
      .insert(readEvent)
      .select(
        sql`SELECT ${account_id}, ${user_id}, ${event.id} FROM ${event} WHERE ${and(isVisible, isUnreadBy(reader))}`,
      )
      .returning({ event_id: readEvent.event_id }),
    // Beyond the limit everything up to the oldest mark counts as read, so that a user has few rows.
    raised: db
      .insert(eventReader)
      .select(
        sql`SELECT ${account_id}, ${user_id}, ${readEvent.event_id} FROM ${readEvent} WHERE ${ofUser}
        ORDER BY ${readEvent.event_id} DESC LIMIT 1 OFFSET ${MAX_READ_EVENTS}`,
      )
      .onConflictDoUpdate(RAISE),
    dropped: dropMarks(db, reader),
  });
  if (marked.length === 0) throw new ApiError(201);
}

/** Marks all events of the account as read by the user, also those that it does not see now. */
export async function markAllRead(db: Database, reader: Reader) {
  const { account_id, user_id } = reader;
  await write(db, {
    raised: db
      .insert(eventReader)
      .select(
        sql`SELECT ${account_id}, ${user_id}, coalesce(max(${event.id}), 0) FROM ${event}
        WHERE ${event.account_id} = ${account_id}`,
      )
      .onConflictDoUpdate(RAISE),
    dropped: dropMarks(db, reader),
  });
}

/** Deletes the marks on events up to which the user has read all. */
function dropMarks(db: Database, reader: Reader) {
  return db
    .delete(readEvent)
    .where(
      and(
        eq(readEvent.account_id, reader.account_id),
        eq(readEvent.user_id, reader.user_id),
        sql`${readEvent.event_id} <= ${readUpTo(reader)}`,
      ),
    );
}

function readUpTo({ account_id, user_id }: Reader): SQL {
  return sql`coalesce((SELECT ${eventReader.read_up_to} FROM ${eventReader}
    WHERE ${eventReader.account_id} = ${account_id} AND ${eventReader.user_id} = ${user_id}), 0)`;
}

function isNotMarked({ account_id, user_id }: Reader): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${readEvent} WHERE ${readEvent.account_id} = ${account_id}
    AND ${readEvent.user_id} = ${user_id} AND ${readEvent.event_id} = ${event.id})`;
}

const RAISE = {
  target: [eventReader.account_id, eventReader.user_id],
  set: { read_up_to: sql`max(${eventReader.read_up_to}, excluded.read_up_to)` },
};
/** Events that a user may have read one by one since the last one up to which it has read all. */
const MAX_READ_EVENTS = 5_000;
