import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { TasksEnv } from "../env.ts";
import { removeEvents, selectEvents } from "./event-queries.ts";

/** Delivers the rows of the event outbox to fleet, which stores them in history. */
export function deliverEvents(env: TasksEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (maxRows) => selectEvents(db, maxRows),
    deliver: (rows) => env.FLEET.storeEvents(rows.map(({ event }) => event)),
    remove: (rows) => removeEvents(db, rows),
  });
}
