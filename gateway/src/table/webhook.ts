import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Addresses to which events are posted. The Durable Object `WebhookSender` of each keeps its deliveries. */
export const webhook = sqliteTable(
  "webhook",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account_id: integer().notNull(),
    /** The user who made it: deliveries contain what this user may see. */
    user_id: integer().notNull(),
    label: text().notNull(),
    url: text().notNull(),
    /** Patterns of types, as in `task.*`. */
    types: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Only events of these trackers, of trackers with these tags, or in these zones; null: no such filter. */
    tracker_ids: text({ mode: "json" }).$type<number[]>(),
    tag_ids: text({ mode: "json" }).$type<number[]>(),
    zone_ids: text({ mode: "json" }).$type<number[]>(),
    /** Additional headers as JSON, encrypted: they may contain a token. */
    headers: text().notNull(),
    /** The secret of signatures, encrypted, and the one before it until `previous_until`. */
    secret: text().notNull(),
    previous_secret: text(),
    previous_until: integer(),
    /** The private key of Ed25519 signatures in PKCS 8, encrypted; null without them. */
    private_key: text(),
    /** The public key, `whpk_` and base64. */
    public_key: text(),
    /** Whether events of one thing are delivered in their order. */
    ordered: integer({ mode: "boolean" }).notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** Why the system disabled it: the receiver said that it is gone, or failed for days. */
    disabled_reason: text({ enum: ["gone", "failing"] }),
    /** The sequence of the account behind which the webhook begins. */
    start_sequence: integer().notNull(),
    /** The sequence of the account through which the sender has read: the sweep wakes senders that are behind. */
    read_sequence: integer().notNull(),
    created: integer().notNull(),
  },
  (table) => [index("webhook_account").on(table.account_id)],
);
export type WebhookRow = typeof webhook.$inferSelect;
