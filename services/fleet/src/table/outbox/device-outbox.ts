import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** Devices whose change is not delivered to geo yet. */
export const deviceOutbox = sqliteTable(
  "device_outbox",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull().default(0),
    source_id: integer().notNull(),
  },
  (table) => [index("device_outbox_account").on(table.account_id)],
);
