import type { HistoryEntry } from "#shared/contract/event/event.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { PushCategory } from "../categories.ts";

/** The JSON for a browser's service worker, with times in the user's zone. Shortened until every push service takes it. */
export function payloadOf(category: PushCategory, entry: HistoryEntry, zone: string): string {
  const { zone_ids, zone_labels, place_ids, ...extra } = entry.extra;
  const { tracker_label, emergency } = extra;
  const shorter = { ...entry, extra };
  const shortest = { ...entry, address: "", extra: { tracker_label, emergency } };
  const serialize = (one: HistoryEntry) =>
    JSON.stringify({ category, event: { ...one, time: writeLocal(one.time, zone) } });
  return [entry, shorter].map(serialize).find(isWithinLimit) ?? serialize(shortest);
}

function isWithinLimit(payload: string) {
  return new TextEncoder().encode(payload).length <= MAX_PAYLOAD_BYTES;
}

/** Push services take 4096 bytes, which include encryption and a header. The shortest form always fits. */
const MAX_PAYLOAD_BYTES = 3000;
