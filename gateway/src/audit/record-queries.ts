import { type SQL, sql } from "drizzle-orm";
import type { Actor, AuditEntry } from "#shared/caller/audit.ts";
import type { StoredChange } from "#shared/database/change.ts";
import type { Database } from "#shared/database/open.ts";
import { isNamedByTracker } from "../event/change-catalogue.ts";
import { typeOfChange, typeOfEntry } from "../event/change-types.ts";
import { audit } from "../table/audit.ts";
import { removedUser } from "../table/removed-user.ts";

/**
 * The statement that records a change, for the writing batch right behind the statement that makes the change. By default
 * it records only if that statement changed a row.
 */
export function recordChange(
  db: Database,
  { account_id, user_id, host, user_agent, action_date }: Omit<Actor, "account_id"> & { account_id: number | SQL },
  { is, entry_id = null, payload = null }: StoredChange,
  condition = sql`changes() > 0`,
) {
  const [entry_category, action] = is;
  return db.insert(audit).select(
    sql`SELECT NULL, ${crypto.randomUUID()}, ${account_id}, ${user_id}, ${entry_category}, ${entry_id}, ${action},
      ${toJson(payload)}, ${host}, ${user_agent}, ${action_date}, ${typeOfChange(is)}, NULL WHERE ${condition}`,
  );
}

/** Stores entries that services report. Entries that the log has already, and those of removed accounts, are ignored. */
export async function insertEntries(db: Database, entries: AuditEntry[]) {
  const reports = sql`json_each(${JSON.stringify(entries.map(withEvent))})`;
  const member = (name: keyof ReturnType<typeof withEvent>) => sql`value ->> ${name}`;
  await db
    .insert(audit)
    .select(
      sql`SELECT NULL, ${member("event_id")}, ${member("account_id")}, ${member("user_id")}, ${member("entry_category")},
        ${member("entry_id")}, ${member("action")}, iif(json_type(value, '$.payload') = 'object', value -> 'payload', NULL),
        ${member("host")}, ${member("user_agent")}, ${member("action_date")}, ${member("event_type")},
        ${member("event_tracker_id")} FROM ${reports}
        WHERE ${member("account_id")} NOT IN (SELECT ${removedUser.id} FROM ${removedUser})`,
    )
    .onConflictDoNothing();
}

/** The entry with the type of its event, and the tracker that decides who sees the event. */
function withEvent(entry: AuditEntry) {
  const { entry_category, action, entry_id, payload } = entry;
  const tracker_id = isNamedByTracker(entry_category) ? entry_id : payload?.tracker_id;
  return {
    ...entry,
    event_type: typeOfEntry(entry_category, action),
    event_tracker_id: typeof tracker_id === "number" ? tracker_id : null,
  };
}

function toJson(payload: NonNullable<StoredChange["payload"]> | null) {
  if (payload === null) return null;
  // Drizzle's SQL expressions have `getSQL`; any other payload is stored as JSON.
  return "getSQL" in payload ? (payload as SQL) : JSON.stringify(payload);
}
