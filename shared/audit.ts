/** A change as the audit log keeps it, written in the batch of the change. */
export type AuditEntry = {
  /** Unique: an entry that is delivered twice is one. */
  event_id: string;
  account_id: number;
  user_id: number;
  entry_category: string;
  entry_id: number | null;
  action: string;
  payload: Record<string, unknown> | null;
  host: string;
  user_agent: string;
  /** UTC milliseconds. */
  action_date: number;
};
