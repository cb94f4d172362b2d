import type { Principal } from "../caller/principal.ts";
import type { LastValues } from "./point/last-values.ts";
import type { VisibleTracker } from "./tracker/visible-tracker.ts";

/** Forms of a tracker's state that a socket may subscribe to. */
export const STATE_FORMATS = ["full", "compact"] as const;
export type StateFormat = (typeof STATE_FORMATS)[number];

/** A followed tracker, as far as the relay needs it. */
export type FollowedTracker = Pick<
  VisibleTracker,
  "tracker_id" | "source_id" | "model" | "creation_date" | "blocked"
> & {
  feed_id: number;
};

/** A socket's whole subscription; it replaces the previous one. */
export type Subscription = {
  /** Name of the socket's Durable Object. */
  socket: string;
  account_id: number;
  /** Time zone in which times are written. */
  time_zone: string;
  formats: StateFormat[];
  trackers: FollowedTracker[];
  /** Trackers whose current states are part of the answer. */
  fresh: number[];
};

export type LifecycleEvent = "block" | "unblock" | "corrupt";

/** A tracker's state as JSON, in each subscribed form. */
export type LiveEntry = { tracker_id: number; states: Partial<Record<StateFormat, string>> };

/** One message for several sockets. States are one text for all trackers, since most sockets pass it on unchanged. */
export type LiveUpdate = {
  /** Trackers whose states changed. */
  tracker_ids: number[];
  states: Partial<Record<StateFormat, WrittenStates>>;
  /** Changes of devices: blocked, unblocked, removed. */
  lifecycles: { tracker_id: number; source_id: number; lifecycle_event: LifecycleEvent }[];
};

/** States as comma-separated JSON in the order of the trackers; `ends` is the end of each in the text. */
export type WrittenStates = { text: string; ends: number[] };

export type TrackerValues = LastValues & { tracker_id: number };

/** States of trackers for sockets. */
export interface LiveStates {
  /**
   * Subscribes a socket; the subscription ends with the socket, or after some minutes without renewal. Answers the
   * requested states; trackers whose feeds do not answer are left out.
   */
  subscribe(following: Subscription): Promise<LiveEntry[]>;
  /** The last values of devices; blocked trackers and those that the principal does not see are left out. */
  lastValues(principal: Principal, tracker_ids: number[]): Promise<TrackerValues[]>;
}

/** The gateway's open sockets. */
export interface SocketHub {
  /** Sends one update to all of these sockets; answers the names of sockets that are closed. */
  deliver(sockets: string[], news: LiveUpdate): Promise<string[]>;
}
