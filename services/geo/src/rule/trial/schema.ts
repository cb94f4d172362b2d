import * as z from "zod";
import { EVENT_NAMES } from "#shared/contract/event/event.ts";
import { dateTime } from "#shared/operation/fields.ts";

/** The trackers and the range to search, and the page of results. */
export const TRIAL_INPUT = {
  trackers: z.array(z.int()).min(1).max(100),
  from: dateTime(),
  to: dateTime(),
  limit: z.int().min(1).max(1000).default(1000),
  offset: z.int().min(0).default(0),
};

export function isForward({ from, to }: { from: number; to: number }) {
  return from <= to;
}
export const NOT_FORWARD = { path: ["to"], error: "must not be before from" };

const Position = z.object({ lat: z.number(), lng: z.number() });

/** An event that the rule would have sent. */
export const TrialEvent = z.object({
  tracker_id: z.int(),
  event: z.enum(EVENT_NAMES),
  time: dateTime(),
  location: Position,
  zone_ids: z.array(z.int()),
  zone_labels: z.array(z.string()),
  /** The measured value. */
  value: z.string().optional(),
});
export type TrialEvent = z.output<typeof TrialEvent>;

/** A time that a tracker spent in a zone. */
export const ZoneVisit = z.object({
  tracker_id: z.int(),
  /** Time of the first point in the zone. */
  from: dateTime(),
  /** Time of the first point outside; null: the tracker was still inside at the end of the range. */
  to: dateTime().nullable(),
  location: Position,
});
export type ZoneVisit = z.output<typeof ZoneVisit>;
