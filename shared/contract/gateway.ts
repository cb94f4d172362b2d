import type { AuditEntry } from "../caller/audit.ts";
import type { Limits, Principal } from "../caller/principal.ts";
import type { HistoryReport, StoredEvent } from "./event/event.ts";
import type { Notice } from "./event/service-notice.ts";

/** The audit log. */
export interface AuditLog {
  /**
   * Records the entries durably before it answers. An entry that is delivered twice is recorded once, by its
   * `event_id`.
   */
  record(entries: AuditEntry[]): Promise<void>;
}

/** Account limits, for work that runs without a caller (imports, schedules). */
export interface AccountLimits {
  /** Limits by account; removed accounts are left out. */
  limitsOf(account_ids: number[]): Promise<Record<number, Limits>>;
}

/** Principals for work that users scheduled for later. */
export interface ReaderDirectory {
  /**
   * Each user as if it called now, without a credential; `closed` when it may not log in at present. Removed users are
   * left out.
   */
  principalsOf(user_ids: number[]): Promise<Record<number, Principal | "closed">>;
}

/** Outgoing mail. */
export interface MailQueue {
  /** Stores the mails before it answers; they will be sent. A mail that is delivered twice is sent once, by its id. */
  enqueue(notices: Notice[]): Promise<void>;
}

/** Events of the history: the feed of the account's events, and push notifications. */
export interface PushQueue {
  /**
   * Stores the events before it answers: each will be in the feed once, and `is_notified` ones reach subscribed users
   * once, however often they are delivered.
   */
  report(events: HistoryReport[]): Promise<void>;
  /**
   * Stores the events before it answers; subscribed users will be notified, once per event however often it is
   * delivered. The release before `report` calls it; these events do not reach the feed.
   */
  enqueue(events: StoredEvent[]): Promise<void>;
}

/** Fonts of documents. */
export interface FontFiles {
  /** The content of a font's file; null when there is no file with this name. */
  openFont(name: string): Promise<ReadableStream | null>;
}
