import type { EventExtra, EventName } from "./event.ts";

/** A change of a task or of a work status of a tracker. Rules watch activities; they are not derived from points. */
export type Activity = {
  /** Unique per activity: a rule makes at most one event of each. */
  activity_id: string;
  account_id: number;
  tracker_id: number;
  event: EventName;
  /** UTC milliseconds. */
  time: number;
  /** The new work status; null when the activity is about a task. */
  status_id: number | null;
  /** True for a form that had been submitted before. */
  is_repeated: boolean;
  extra: Omit<EventExtra, "tracker_label" | "full_message">;
};
