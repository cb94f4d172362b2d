import { metersBetween } from "#shared/geometry/distance.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TaskRow } from "../table/task/task.ts";
import { requireLocation } from "../task/schema.ts";

/** Where a tracker was, and when in UTC milliseconds. */
export type Fix = { lat: number; lng: number; time: number };

/**
 * In how many seconds the tracker may be there: the straight way, longer by what roads add, at a speed of towns. 0 where it is
 * there, null where it is over or nobody knows where the tracker is now.
 */
export function estimateSeconds(
  { status, location }: Pick<TaskRow, "status" | "location">,
  fix: Fix | null,
  now: number,
): number | null {
  if (status === "arrived") return 0;
  if (status !== "assigned" || !fix || now - fix.time > MAX_FIX_AGE_MS) return null;
  const { lat, lng, radius } = requireLocation(location);
  const meters = Math.max(0, metersBetween(fix.lat, fix.lng, lat, lng) - radius);
  return Math.round((meters * ROAD_FACTOR) / TOWN_SPEED_METERS_PER_SECOND);
}

const MAX_FIX_AGE_MS = 15 * MINUTE_MS;
const ROAD_FACTOR = 1.3;
/** 36 km/h. */
const TOWN_SPEED_METERS_PER_SECOND = 10;
