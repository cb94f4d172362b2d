import { retentionStart } from "#shared/time/retention.ts";
import type { FleetEnv } from "../env.ts";

/**
 * Which events are still visible: those since `since`, except those of trackers removed before `removedBefore`. Null:
 * no such limit.
 */
export type EventRetention = { now: number; since: number | null; removedBefore: number | null };

export function eventRetentionOf({ EVENT_DAYS, REMOVED_TRACKER_DAYS }: FleetEnv, now: number): EventRetention {
  return { now, since: retentionStart(EVENT_DAYS, now), removedBefore: retentionStart(REMOVED_TRACKER_DAYS, now) };
}
