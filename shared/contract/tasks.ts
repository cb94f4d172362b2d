import type { TagCarrier } from "./tag.ts";

/** Tags of tasks, routes and checkpoints among them, and of schedules. */
export type TaskTags = TagCarrier<"task" | "task_schedule">;

/** A tracker, or a clone of one, that is removed for good. */
export type RemovedTracker = { tracker_id: number; account_id: number };

/** A clone, and the tracker whose points it shows. */
export type TrackerClone = RemovedTracker & { feed_account_id: number; feed_tracker_id: number };

/** Work that trackers were given. */
export interface TrackerWork {
  /** From then on points of its tracker move the work of a clone as well. Told twice, it changes nothing. At most 500 in one call. */
  putClones(clones: TrackerClone[]): Promise<void>;
  /**
   * Once it has answered, nobody can give work to these trackers; tasks and schedules lose them, many of them a little
   * later. Told twice, it changes nothing. At most 500 in one call.
   */
  forgetTrackers(trackers: RemovedTracker[]): Promise<void>;
}

/** The zone that an account's days begin in, from now on; a word with a lower revision is an older one. */
export type AccountZone = { account_id: number; time_zone: string; revision: number };

/** What happens on days of accounts. */
export interface AccountDays {
  /** Schedules of tasks, and of rules, go by these zones, many of them a little later. Told twice, it changes nothing. At most 500 in one call. */
  putTimeZones(zones: AccountZone[]): Promise<void>;
}
