import type { AuditEntry } from "../caller/audit.ts";
import type { Limits, Principal } from "../caller/principal.ts";
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

/** As whom services read what users ordered for later. */
export interface ReaderDirectory {
  /**
   * Each user as it is now, as if it called, without a credential; `closed` for one that may not log in at present. A user
   * that is no more is left out.
   */
  readersOf(user_ids: number[]): Promise<Record<number, Principal | "closed">>;
}

/** Where mails are handed in. */
export interface MailQueue {
  /** Once it has answered, the mails are kept and will be sent, each once however often it is told. */
  enqueue(notices: Notice[]): Promise<void>;
}

/** Where events are reported that users want to be notified of. */
export interface PushQueue {
  /** Once it has answered, whoever is to be notified will be, once however often it is told. */
  enqueue(events: StoredEvent[]): Promise<void>;
}
