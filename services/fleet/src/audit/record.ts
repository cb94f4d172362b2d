import { type SQL, sql } from "drizzle-orm";
import { type Actor, type Change, newEntry } from "#shared/audit.ts";
import type { Database } from "#shared/database.ts";
import { auditOutbox } from "./table.ts";

type Known = Change & { account_id?: SQL; payload?: Record<string, unknown> };

/**
 * For the batch of a change, right behind the statement that makes it: where that changed nothing, nothing is recorded.
 */
export function recording(
  db: Database,
  actor: Actor,
  { is, entry_id = null, payload, account_id }: Known,
  condition = sql`changes() > 0`,
) {
  const { event_id, ...entry } = newEntry(actor, { is, payload });
  const account = account_id ?? sql`${actor.account_id}`;
  return db.insert(auditOutbox).select(
    sql`SELECT ${event_id}, json_set(${JSON.stringify({ ...entry, event_id })}, '$.entry_id', ${entry_id}, '$.account_id', ${account})
        WHERE ${condition}`,
  );
}

/**
 * The same for as many things as the query names, in front of the statement that changes them. The query's columns are
 * `id` and `payload`.
 */
export function recordingEach(db: Database, actor: Actor, { is }: Pick<Change, "is">, things: SQL) {
  const { event_id, ...entry } = newEntry(actor, { is });
  return db.insert(auditOutbox).select(
    sql`SELECT ${event_id} || '-' || thing.id, json_set(${JSON.stringify(entry)}, '$.event_id', ${event_id} || '-' || thing.id,
        '$.entry_id', thing.id, '$.payload', json(thing.payload)) FROM (${things}) AS thing WHERE true`,
  );
}
