import type { AuditEntry } from "#shared/caller/audit.ts";

/** Audit entries of replays that are not in the audit log yet. A replay stores its entry in the transaction of its effect. */
export class ReplayEntries {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec("CREATE TABLE IF NOT EXISTS replay_entry (event_id TEXT PRIMARY KEY, entry TEXT NOT NULL)");
  }

  add(entry: AuditEntry) {
    this.#storage.sql.exec("INSERT INTO replay_entry VALUES (?, ?)", entry.event_id, JSON.stringify(entry));
  }

  list(): AuditEntry[] {
    const rows = this.#storage.sql.exec<{ entry: string }>("SELECT entry FROM replay_entry").toArray();
    return rows.map(({ entry }) => JSON.parse(entry));
  }

  remove({ event_id }: AuditEntry) {
    this.#storage.sql.exec("DELETE FROM replay_entry WHERE event_id = ?", event_id);
  }
}
