import { type SQL, sql } from "drizzle-orm";
import type { Actor, AuditEntry } from "#shared/caller/audit.ts";
import type { StoredChange } from "#shared/database/change.ts";
import type { Database } from "#shared/database/open.ts";
import { audit } from "../table/audit.ts";
import { removedUser } from "../table/removed-user.ts";

/**
 * The statement that records a change, for the writing batch right behind the statement that makes the change. By default
 * it records only if that statement changed a row.
 */
export function recordChange(
  db: Database,
  { account_id, user_id, host, user_agent, action_date }: Omit<Actor, "account_id"> & { account_id: number | SQL },
  { is: [entry_category, action], entry_id = null, payload = null }: StoredChange,
  condition = sql`changes() > 0`,
) {
  return db.insert(audit).select(
    sql`SELECT NULL, ${crypto.randomUUID()}, ${account_id}, ${user_id}, ${entry_category}, ${entry_id}, ${action},
      ${toJson(payload)}, ${host}, ${user_agent}, ${action_date} WHERE ${condition}`,
  );
}

/** Stores entries that services report. Entries that the log has already, and those of removed accounts, are ignored. */
export async function insertEntries(db: Database, entries: AuditEntry[]) {
  const reports = sql`json_each(${JSON.stringify(entries)})`;
  const member = (name: keyof AuditEntry) => sql`value ->> ${name}`;
  await db
    .insert(audit)
    .select(
      sql`SELECT NULL, ${member("event_id")}, ${member("account_id")}, ${member("user_id")}, ${member("entry_category")},
        ${member("entry_id")}, ${member("action")}, iif(json_type(value, '$.payload') = 'object', value -> 'payload', NULL),
        ${member("host")}, ${member("user_agent")}, ${member("action_date")} FROM ${reports}
        WHERE ${member("account_id")} NOT IN (SELECT ${removedUser.id} FROM ${removedUser})`,
    )
    .onConflictDoNothing();
}

function toJson(payload: NonNullable<StoredChange["payload"]> | null) {
  if (payload === null) return null;
  // Drizzle's SQL expressions have `getSQL`; any other payload is stored as JSON.
  return "getSQL" in payload ? (payload as SQL) : JSON.stringify(payload);
}
