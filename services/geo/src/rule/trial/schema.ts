import { z } from "zod";
import { EVENT_NAMES } from "#shared/contract/event.ts";
import { dateTime } from "#shared/operation/fields.ts";

/** Whose points are looked through, and which part of what is found is answered. */
export const RANGE = {
  trackers: z.array(z.int()).min(1).max(100),
  from: dateTime(),
  to: dateTime(),
  limit: z.int().min(1).max(1000).default(1000),
  offset: z.int().min(0).default(0),
};

export function goesForward({ from, to }: { from: number; to: number }) {
  return from <= to;
}
export const BACKWARD = { path: ["to"], error: "must not be before from" };

const Place = z.object({ lat: z.number(), lng: z.number() });

/** An event that a rule would have made. */
export const TrialEvent = z.object({
  tracker_id: z.int(),
  event: z.enum(EVENT_NAMES),
  time: dateTime(),
  location: Place,
  zone_ids: z.array(z.int()),
  zone_labels: z.array(z.string()),
  /** What the rule saw. */
  value: z.string().optional(),
});
export type TrialEvent = z.output<typeof TrialEvent>;

/** That a tracker was in a zone. */
export const ZoneVisit = z.object({
  tracker_id: z.int(),
  /** Of the first point in the zone. */
  from: dateTime(),
  /** Of the first point behind it; null: at the end of the range the tracker was still there. */
  to: dateTime().nullable(),
  location: Place,
});
export type ZoneVisit = z.output<typeof ZoneVisit>;
