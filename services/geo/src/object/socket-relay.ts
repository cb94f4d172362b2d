import type { LiveEntry, Subscription } from "#shared/contract/live.ts";
import type { Relay } from "./relay.ts";

/** Durable Object between feeds of some trackers and the subscribed sockets of one account. */
export interface SocketRelay extends Relay {
  /** See `LiveStates.subscribe`. `name` is the relay's own name, which feeds call. */
  subscribe(name: string, subscription: Subscription): Promise<LiveEntry[]>;
}
