import type { Principal } from "#shared/caller/principal.ts";
import type { Subscription } from "./subscription.ts";

/**
 * Data of subscriptions that live updates do not contain, so that it is queried when they arrive. A source remembers what
 * it returned for each subscription and tracker.
 */
export interface ChangeSource {
  /** The JSON of each tracker that changed since the last call. */
  takeChanges(principal: Principal, subscription: Subscription, tracker_ids: number[]): Promise<string[]>;
  /** Makes the next `takeChanges` return all data of the tracker. */
  forget(subscription: Subscription, tracker_id: number): void;
}
