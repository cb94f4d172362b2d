import * as z from "zod";
import { dateTime, printableText } from "../../operation/fields.ts";

export const Label = printableText(1, 60).regex(/^[^<>]*$/, { error: "must not contain < or >" });

const Source = z.object({
  id: z.int(),
  device_id: z.string(),
  model: z.string(),
  blocked: z.boolean(),
  tariff_id: z.int(),
  status_listing_id: z.int().nullable(),
  creation_date: z.string(),
  tariff_end_date: z.string().nullable(),
  phone: z.string().nullable(),
});

/** A tracker in an answer of the API. */
export const Tracker = z.object({
  id: z.int(),
  label: z.string(),
  clone: z.boolean(),
  group_id: z.int(),
  avatar_file_name: z.string().optional(),
  source: Source,
  tag_bindings: z.array(z.object({ tag_id: z.int(), ordinal: z.int() })),
});

/** A tracker as fleet sends it to the gateway for operators. */
export const PanelTracker = Tracker.extend({
  source: Source.extend({ corrupted: z.literal(true).optional() }),
  user_id: z.int(),
  dealer_id: z.int(),
  deleted: z.boolean(),
  comment: z.string(),
  /** When the device was registered. */
  creation_date: dateTime(),
  model_name: z.string(),
  /** The tracker under which geo knows the device; null once it is removed. */
  feed_tracker_id: z.int().nullable(),
});
export type PanelTracker = z.output<typeof PanelTracker>;

/** A tracker in an operator's answer. */
export const ConnectedTracker = PanelTracker.omit({ feed_tracker_id: true }).extend({
  /** Null when the device never connected or the tracker is removed. */
  last_connection: dateTime().nullable(),
});

/** An operator's changes of a tracker; absent members stay. */
export type TrackerChanges = { label?: string; comment?: string };

/** A clone of the tracker in the user's account. */
export type NewClone = { tracker_id: number; user_id: number; label: string };

export const TRACKER_ORDERS = ["id", "label", "creation_date"] as const;
/** An operator's search for trackers. */
export type TrackerSearch = {
  user_id?: number;
  tariff_id?: number;
  filter: string | null;
  order_by: (typeof TRACKER_ORDERS)[number];
  ascending: boolean;
  offset: number;
  limit: number;
};
