/** `waiting` for an attempt, `delivered`, `failed` after the last attempt, `skipped`: its user may no longer see the event. */
export type DeliveryState = "waiting" | "delivered" | "failed" | "skipped";

/** A delivery of one event to one webhook. Times are UTC milliseconds. */
export type Delivery = {
  /** Counts the deliveries of the webhook from 1. */
  sequence: number;
  /** `webhook-id`, the same for every attempt. */
  event_id: string;
  type: string;
  subject: string;
  tracker_id: number | null;
  body: string;
  state: DeliveryState;
  attempts: number;
  due: number;
  created: number;
  status: number | null;
  error: string | null;
  answer: string;
  duration_ms: number | null;
  attempted: number | null;
};

/** One request of a delivery, and what came of it. `status` is null if no answer came. */
export type Attempt = {
  /** UTC milliseconds. */
  time: number;
  status: number | null;
  error: string | null;
  duration_ms: number | null;
  /** The first kilobyte of the answer. */
  answer: string;
};

export type DeliverySearch = {
  state: DeliveryState | null;
  from: number | null;
  to: number | null;
  /** Deliveries before this sequence, newest first. */
  before: number | null;
  limit: number;
};
export type ReplaySelection = { sequences: number[] | null; from: number | null; to: number | null; failed: boolean };
