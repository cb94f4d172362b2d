import type { Principal } from "#shared/caller/principal.ts";
import type { Subscription } from "./subscription.ts";

/** What is asked for, and what of it a socket was told. */
export interface ChangeSource {
  /** Of each of the trackers what is not as it was told last, as JSON; of one without any change nothing. */
  takeChanges(principal: Principal, of: Subscription, tracker_ids: number[]): Promise<string[]>;
  /** As if nothing of the tracker had been told. */
  forget(of: Subscription, tracker_id: number): void;
}
