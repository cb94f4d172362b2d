import { retentionStart } from "#shared/time/retention.ts";
import type { FleetEnv } from "../env.ts";

/** What of history is still there: of all trackers since a moment, nothing of those that were removed before another. Null: no such moment. */
export type EventRetention = { now: number; since: number | null; removedBefore: number | null };

export function eventRetentionOf({ EVENT_DAYS, REMOVED_TRACKER_DAYS }: FleetEnv, now: number): EventRetention {
  return { now, since: retentionStart(EVENT_DAYS, now), removedBefore: retentionStart(REMOVED_TRACKER_DAYS, now) };
}
