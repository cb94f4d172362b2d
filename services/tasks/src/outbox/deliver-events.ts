import { openDatabase } from "#shared/database/open.ts";
import { emptied } from "#shared/database/outbox.ts";
import type { TasksEnv } from "../env.ts";
import { removeEvents, selectEvents } from "./event-queries.ts";

/** Hands over what happened to history. */
export function deliverEvents(env: TasksEnv) {
  const db = openDatabase(env);
  return emptied({
    take: (most) => selectEvents(db, most),
    tell: (rows) => env.FLEET.storeEvents(rows.map(({ event }) => event)),
    drop: (rows) => removeEvents(db, rows),
  });
}
