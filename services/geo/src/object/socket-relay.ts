import type { LiveEntry, Subscription } from "#shared/contract/live.ts";
import type { Relay } from "./relay.ts";

/** Stands between the feeds of some trackers and the sockets of one account that follow them. */
export interface SocketRelay extends Relay {
  /** As `LiveStates` says; `name` is the relay's own, for feeds to call. */
  subscribe(name: string, subscription: Subscription): Promise<LiveEntry[]>;
}
