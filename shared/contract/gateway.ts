import type { AuditEntry } from "../caller/audit.ts";
import type { Limits } from "../caller/principal.ts";
import type { StoredEvent } from "./event.ts";
import type { Notice } from "./service-notice.ts";

/** Where changes are recorded. */
export interface AuditLog {
  /** Once it has answered, the log has the entries, each once however often it is told. */
  record(entries: AuditEntry[]): Promise<void>;
}

/** What accounts may own, for whoever makes things that nobody calls for. */
export interface AccountLimits {
  /** By account; an account that is no more is left out. */
  limitsOf(account_ids: number[]): Promise<Record<number, Limits>>;
}

/** Where mails are handed in. */
export interface MailRoom {
  /** Once it has answered, the mails are kept and will be sent, each once however often it is told. */
  keep(notices: Notice[]): Promise<void>;
}

/** Where events are reported that users want to be notified of. */
export interface PushDesk {
  /** Once it has answered, whoever is to be notified will be, once however often it is told. */
  tell(events: StoredEvent[]): Promise<void>;
}
