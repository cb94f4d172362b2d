import type { LifecycleEvent } from "#shared/contract/live.ts";
import type { TrackerCondition } from "./feed.ts";

/** Receives changes of feeds for subscribed sockets. The answer says whether the feed should continue to send. */
export interface Relay {
  receiveState(feed_id: number, condition: TrackerCondition): Promise<boolean>;
  receiveLifecycle(feed_id: number, event: LifecycleEvent, condition: TrackerCondition): Promise<boolean>;
}
