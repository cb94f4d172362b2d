import type { LifecycleEvent } from "#shared/contract/live.ts";
import type { TrackerCondition } from "./feed.ts";

/** What hears of feeds for those who follow trackers. It answers whether it wants to hear more. */
export interface Relay {
  receiveState(feed_id: number, condition: TrackerCondition): Promise<boolean>;
  receiveLifecycle(feed_id: number, event: LifecycleEvent, condition: TrackerCondition): Promise<boolean>;
}
