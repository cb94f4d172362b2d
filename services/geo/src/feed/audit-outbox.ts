import type { AuditEntry } from "#shared/caller/audit.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../env.ts";
import { logFailure } from "../log-failure.ts";
import type { Alarm } from "../object/alarm.ts";

/** Keeps audit entries in the feed's storage beside the changes that they record, until the audit log has them. */
export class AuditOutbox {
  #kv: SyncKvStorage;
  #env: GeoEnv;
  #alarm: Alarm;

  constructor({ kv }: DurableObjectStorage, env: GeoEnv, alarm: Alarm) {
    this.#kv = kv;
    this.#env = env;
    this.#alarm = alarm;
  }

  /** Stores the entry in the transaction of the change: the caller must not await anything in between. */
  record(entry: AuditEntry) {
    this.#kv.put(PREFIX + entry.event_id, entry);
    this.#alarm.schedule(Number(this.#env.AUDIT_DELAY_SECONDS) * 1000, "audit_at");
  }

  /** Sends the oldest entries. The audit log ignores an entry that arrives twice, by its `event_id`. */
  async deliver() {
    const entries = this.#next();
    // Plans the retry first: the process may die during the call.
    this.#alarm.schedule(RETRY_DELAY_MS, "audit_at");
    try {
      if (entries.length > 0) await this.#env.AUDIT.record(entries);
      for (const { event_id } of entries) this.#kv.delete(PREFIX + event_id);
      if (this.#next().length > 0) this.#alarm.schedule(0, "audit_at");
      else this.#alarm.cancel("audit_at");
    } catch (thrown) {
      logFailure(thrown);
    }
  }

  #next(): AuditEntry[] {
    return [...this.#kv.list<AuditEntry>({ prefix: PREFIX, limit: MAX_ENTRIES_PER_CALL })].map(([, entry]) => entry);
  }
}

const PREFIX = "audit:";
const MAX_ENTRIES_PER_CALL = 100;
const RETRY_DELAY_MS = MINUTE_MS;
