import type { TagCarrier } from "./tag.ts";

/** Tags of tasks (routes and checkpoints included) and of schedules. */
export type TaskTags = TagCarrier<"task" | "task_schedule">;

/** A tracker or clone that was removed for good. */
export type RemovedTracker = { tracker_id: number; account_id: number };

/** A clone, and the tracker whose points it shows. */
export type TrackerClone = RemovedTracker & { feed_account_id: number; feed_tracker_id: number };

/** Tasks and schedules of trackers. */
export interface TrackerWork {
  /** Points of the original move the clone's tasks as well. Idempotent. At most 500 in one call. */
  putClones(clones: TrackerClone[]): Promise<void>;
  /**
   * Once it has answered, no work can be given to these trackers; their tasks and schedules lose them soon after.
   * Idempotent. At most 500 in one call.
   */
  removeTrackers(trackers: RemovedTracker[]): Promise<void>;
}

/** The time zone of an account's days. A message with a lower revision is outdated and ignored. */
export type AccountZone = { account_id: number; time_zone: string; revision: number };

/** Time zones of accounts. */
export interface AccountDays {
  /** Stores the zones. Schedules and rules are recomputed soon after. Idempotent. At most 500 in one call. */
  putTimeZones(zones: AccountZone[]): Promise<void>;
}
