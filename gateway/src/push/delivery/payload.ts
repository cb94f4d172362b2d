import type { HistoryEntry } from "#shared/contract/event.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { PushCategory } from "../categories.ts";

/** What a browser's service worker gets as JSON: small enough for every push service, times in the user's zone. */
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

/** Services take 4096 bytes, encrypted and with a header. The message has 256 characters at the most. */
const MAX_PAYLOAD_BYTES = 3000;
