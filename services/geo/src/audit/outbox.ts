import type { AuditEntry } from "#shared/audit.ts";

/** An entry stands beside the change that it tells of until the log has it. */
export function keepEntry({ kv }: DurableObjectStorage, entry: AuditEntry) {
  kv.put(PREFIX + entry.event_id, entry);
}

/** Those to tell next. */
export function keptEntries({ kv }: DurableObjectStorage): AuditEntry[] {
  return [...kv.list<AuditEntry>({ prefix: PREFIX, limit: DELIVERED })].map(([, entry]) => entry);
}

export function dropEntries({ kv }: DurableObjectStorage, entries: AuditEntry[]) {
  for (const { event_id } of entries) kv.delete(PREFIX + event_id);
}

const PREFIX = "audit:";
const DELIVERED = 100;
