import type { EventRow } from "../../table/event.ts";

/**
 * The body of a delivery. `sequence` counts the deliveries of the webhook, so that receivers see gaps. Data of more than 20 KB
 * are replaced by the id of the thing.
 */
export function toBody({ type, time, data }: EventRow, sequence: number): string {
  const envelope = { type, timestamp: new Date(time).toISOString(), sequence };
  const body = JSON.stringify({ ...envelope, data });
  if (body.length <= MAX_BODY_BYTES && new TextEncoder().encode(body).byteLength <= MAX_BODY_BYTES) return body;
  return JSON.stringify({ ...envelope, data: { id: data.id ?? null, is_shortened: true } });
}

const MAX_BODY_BYTES = 20_000;
