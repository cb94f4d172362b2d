import type { RetranslationStatus } from "#shared/contract/tracker/retranslation.ts";

/** Durable Object with the status of an account's retranslators, named by the account's id. */
export interface StatusBoard {
  /** Replaces all statuses of a tracker. */
  put(tracker_id: number, statuses: RetranslationStatus[]): Promise<void>;
  /** The newest status of each retranslator over all trackers. */
  statuses(): Promise<RetranslationStatus[]>;
  /** Deletes all statuses, when the account is removed. */
  clear(): Promise<void>;
}
