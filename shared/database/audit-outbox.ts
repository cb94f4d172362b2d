import { asc, SQL, sql } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type Actor, type AuditEntry, type Change, newEntry } from "../caller/audit.ts";
import type { StoredChange } from "./change.ts";
import { selectOutboxByAccount } from "./due-by-account.ts";
import type { Database } from "./open.ts";
import { deliverOutbox } from "./outbox.ts";
import { among } from "./scope.ts";

/** Outbox of audit entries: a row stays until the audit log has stored it. */
export function auditOutboxTable() {
  return sqliteTable(
    "audit_outbox",
    {
      event_id: text().primaryKey(),
      entry: text({ mode: "json" }).$type<AuditEntry>().notNull(),
    },
    () => [
      // Serves deliver.
      index("audit_outbox_account").on(ACCOUNT),
    ],
  );
}
/** Must equal the expression of the index. */
const ACCOUNT = sql`entry ->> '$.account_id'`;
type AuditOutbox = ReturnType<typeof auditOutboxTable>;
type RecordedChange = StoredChange & { account_id?: SQL };
type Log = { record(entries: AuditEntry[]): Promise<unknown> };

/** Writes and delivers the audit entries of a service with this outbox. */
export function recordsIn(auditOutbox: AuditOutbox) {
  return { recordChange, recordEachChange, deliver };

  /**
   * Records a change. Stands directly behind the statement of the change: when that changed no row, nothing is
   * recorded.
   */
  function recordChange(
    db: Database,
    actor: Actor,
    { is, entry_id = null, payload, account_id }: RecordedChange,
    condition = sql`changes() > 0`,
  ) {
    const [known, looked] = payload instanceof SQL ? [undefined, payload] : [payload, undefined];
    const { event_id, ...entry } = newEntry(actor, { is, payload: known });
    const withPayload = looked ? sql`, '$.payload', json((${looked}))` : sql.empty();
    const account = account_id ?? sql`${actor.account_id}`;
    return db.insert(auditOutbox).select(
      sql`SELECT ${event_id}, json_set(${JSON.stringify({ ...entry, event_id })}, '$.entry_id', ${entry_id}, '$.account_id', ${account}${withPayload})
        WHERE ${condition}`,
    );
  }

  /**
   * Records a change for each row of the query, in front of the statement that changes them. Columns of the
   * query: `id`, `payload`, and the account and the user when there are several.
   */
  function recordEachChange(
    db: Database,
    actor: Actor,
    { is, account_id, user_id }: Pick<Change, "is"> & { account_id?: SQL; user_id?: SQL },
    entries: SQL,
  ) {
    const { event_id, ...entry } = newEntry(actor, { is });
    const account = account_id ?? sql`${actor.account_id}`;
    const user = user_id ?? sql`${actor.user_id}`;
    return db.insert(auditOutbox).select(
      sql`SELECT ${event_id} || '-' || thing.id, json_set(${JSON.stringify(entry)}, '$.event_id', ${event_id} || '-' || thing.id,
        '$.entry_id', thing.id, '$.payload', json(thing.payload), '$.account_id', ${account}, '$.user_id', ${user}) FROM (${entries}) AS thing WHERE true`,
    );
  }

  /** Delivers entries to the audit log until the outbox is empty. The log ignores entries that it has already. */
  function deliver(db: Database, log: Log) {
    const ids = (rows: { event_id: string }[]) => rows.map(({ event_id }) => event_id);
    return deliverOutbox({
      select: (most) =>
        db
          .select()
          .from(auditOutbox)
          .where(sql`rowid IN (${selectOutboxByAccount(auditOutbox, most, ACCOUNT)})`)
          .orderBy(asc(sql`rowid`)),
      deliver: (rows) => log.record(rows.map(({ entry }) => entry)),
      remove: (rows) => db.delete(auditOutbox).where(among(auditOutbox.event_id, ids(rows))),
    });
  }
}
