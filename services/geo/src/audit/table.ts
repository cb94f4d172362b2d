import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AuditEntry } from "#shared/audit.ts";

/** Changes that the audit log is to hear of: a row stays until the log has it. */
export const auditOutbox = sqliteTable("audit_outbox", {
  event_id: text().primaryKey(),
  entry: text({ mode: "json" }).$type<AuditEntry>().notNull(),
});
