import type { Principal } from "../caller/principal.ts";
import type { LastValues } from "./last-values.ts";
import type { VisibleTracker } from "./visible-tracker.ts";

/** How much of a state is told. */
export const STATE_FORMATS = ["full", "compact"] as const;
export type StateFormat = (typeof STATE_FORMATS)[number];

/** What the relay needs to know of a tracker that somebody follows. */
export type FollowedTracker = Pick<
  VisibleTracker,
  "tracker_id" | "source_id" | "model" | "creation_date" | "blocked"
> & {
  feed_id: number;
};

/** What one socket wants to hear of: all of it, in place of what it followed before. */
export type Subscription = {
  /** The name of its object. */
  socket: string;
  account_id: number;
  /** In which times are written. */
  time_zone: string;
  formats: StateFormat[];
  trackers: FollowedTracker[];
  /** Those of the trackers whose states are to be answered. */
  fresh: number[];
};

export type LifecycleEvent = "block" | "unblock" | "corrupt";

/** A tracker's state as JSON, in each form that is followed. */
export type LiveEntry = { tracker_id: number; states: Partial<Record<StateFormat, string>> };

/** What sockets are told at once: one text for all trackers, since most sockets pass it on as it is. */
export type LiveUpdate = {
  /** Whose states have changed. */
  tracker_ids: number[];
  states: Partial<Record<StateFormat, WrittenStates>>;
  /** What became of devices. */
  lifecycles: { tracker_id: number; source_id: number; lifecycle_event: LifecycleEvent }[];
};

/** States as JSON with commas between, in the order of the trackers, and where each of them ends. */
export type WrittenStates = { text: string; ends: number[] };

export type TrackerValues = LastValues & { tracker_id: number };

/** For sockets: what trackers do, as it changes. */
export interface LiveStates {
  /**
   * From now on the socket is told of these trackers, until it is over or has not repeated this for some minutes. The
   * answer is the states that were asked for; trackers whose feeds do not answer are left out.
   */
  subscribe(following: Subscription): Promise<LiveEntry[]>;
  /** What devices told last; trackers that the principal does not see and those that are blocked are left out. */
  lastValues(principal: Principal, tracker_ids: number[]): Promise<TrackerValues[]>;
}

/** The sockets, for whoever has something to tell them. */
export interface SocketHub {
  /** The same for each; the answer is the sockets that are no more. */
  deliver(sockets: string[], news: LiveUpdate): Promise<string[]>;
}
