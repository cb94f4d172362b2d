import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { NewEvent } from "#shared/contract/event/event.ts";

/** The outbox of events for history: a row stays until fleet has stored its event. */
export const eventOutbox = sqliteTable(
  "event_outbox",
  {
    event_id: text().primaryKey(),
    account_id: integer().notNull(),
    event: text({ mode: "json" }).$type<NewEvent>().notNull(),
  },
  (table) => [index("event_outbox_account").on(table.account_id)],
);
