import { asc, sql } from "drizzle-orm";
import { openDatabase } from "#shared/database/open.ts";
import { emptied } from "#shared/database/outbox.ts";
import { among } from "#shared/database/scope.ts";
import type { TasksEnv } from "../env.ts";
import { eventOutbox } from "../table/event-outbox.ts";

/** Hands over what happened to history. */
export function deliverEvents(env: TasksEnv) {
  const db = openDatabase(env);
  const ids = (rows: { event_id: string }[]) => rows.map(({ event_id }) => event_id);
  return emptied({
    take: (most) => db.select().from(eventOutbox).orderBy(asc(sql`rowid`)).limit(most),
    tell: (rows) => env.FLEET.storeEvents(rows.map(({ event }) => event)),
    drop: (rows) => db.delete(eventOutbox).where(among(eventOutbox.event_id, ids(rows))),
  });
}
