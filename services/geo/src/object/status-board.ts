import type { RetranslationStatus } from "#shared/contract/retranslation.ts";

/** How the retranslators of an account fare. There is one for each account, named by its id. */
export interface StatusBoard {
  /** All that a tracker's feed has to say: what it said before is removed. */
  put(tracker_id: number, statuses: RetranslationStatus[]): Promise<void>;
  /** The newest of each retranslator, over all trackers. */
  statuses(): Promise<RetranslationStatus[]>;
  /** The account is no more. */
  clear(): Promise<void>;
}
