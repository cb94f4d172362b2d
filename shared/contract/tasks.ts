import type { TagCarrier } from "./tag.ts";

/** Tags of tasks, routes and checkpoints among them, and of schedules. */
export type TaskTags = TagCarrier<"task" | "task_schedule">;

/** A tracker, or a clone of one, that is removed for good. */
export type RemovedTracker = { tracker_id: number; account_id: number };

/** Work that trackers were given. */
export interface TrackerWork {
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
