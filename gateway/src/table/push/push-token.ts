import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const PUSH_APPLICATIONS = ["vendor_iphone_viewer", "vendor_android_viewer", "w3c_pushapi"] as const;

export type PushApplication = (typeof PUSH_APPLICATIONS)[number];

/** The push token of a session, where its notifications are sent; deleted with the session. */
export const pushToken = sqliteTable(
  "push_token",
  {
    /** The session's keyed hash. */
    key: text().primaryKey(),
    account_id: integer().notNull(),
    user_id: integer().notNull(),
    application: text({ enum: PUSH_APPLICATIONS }).notNull(),
    token: text().notNull(),
    parameters: text({ mode: "json" }).$type<{ p256dh: string; auth: string }>(),
    category_filter: text().notNull(),
    /** When to try the next delivery, in UTC milliseconds; null: no delivery waits. */
    due: integer(),
    /** Failed deliveries in a row. */
    tries: integer().notNull().default(0),
  },
  (table) => [
    // Serves insertDeliveries.
    index("push_token_account").on(table.account_id, table.user_id),
    // Serves storeAttemptsAndClaim.
    index("push_token_due").on(table.account_id, table.due).where(sql`due IS NOT NULL`),
  ],
);
