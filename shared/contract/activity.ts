import type { EventExtra, EventName } from "./event.ts";

/** Something that happened to a tracker, which rules watch and no point tells: a task or a work status has changed. */
export type Activity = {
  /** Unique: it makes one event of each rule. */
  activity_id: string;
  account_id: number;
  tracker_id: number;
  event: EventName;
  /** UTC milliseconds. */
  time: number;
  /** The new work status, where it is one. */
  status_id: number | null;
  /** Of a form: it was submitted before. */
  is_repeated: boolean;
  extra: Omit<EventExtra, "tracker_label" | "full_message">;
};
