import type { AuditEntry } from "#shared/caller/audit.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../env.ts";
import { logFailure } from "../log-failure.ts";
import type { Alarm } from "../object/alarm.ts";

/** An entry stands beside the change that it tells of until the log has it. */
export class AuditOutbox {
  #kv: SyncKvStorage;
  #env: GeoEnv;
  #alarm: Alarm;

  constructor({ kv }: DurableObjectStorage, env: GeoEnv, alarm: Alarm) {
    this.#kv = kv;
    this.#env = env;
    this.#alarm = alarm;
  }

  /** Stored in one go with the change: nothing waits in between. */
  record(entry: AuditEntry) {
    this.#kv.put(PREFIX + entry.event_id, entry);
    this.#alarm.schedule(Number(this.#env.AUDIT_DELAY_SECONDS) * 1000, "audit_at");
  }

  /** What is told twice, as the answer got lost or the process died, the log knows by its id. */
  async deliver() {
    const entries = this.#next();
    // Before anything can go wrong.
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
/** Until the audit log is told again. */
const RETRY_DELAY_MS = MINUTE_MS;
