import { asc, sql } from "drizzle-orm";
import { selectOutboxByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { eventOutbox } from "../table/outbox/event-outbox.ts";

type Row = typeof eventOutbox.$inferSelect;

/** The next rows to deliver, round robin over accounts, each account's oldest first. */
export function selectEvents(db: Database, maxRows: number): Promise<Row[]> {
  return db
    .select()
    .from(eventOutbox)
    .where(sql`rowid IN (${selectOutboxByAccount(eventOutbox, maxRows)})`)
    .orderBy(asc(sql`rowid`))
    .all();
}

export function removeEvents(db: Database, rows: Row[]) {
  const ids = rows.map(({ event_id }) => event_id);
  return db.delete(eventOutbox).where(among(eventOutbox.event_id, ids)).run();
}
