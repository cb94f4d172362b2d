import { metersBetween } from "#shared/geometry/distance.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TaskRow } from "../table/task.ts";
import { placeOf } from "../task/schema.ts";

/** Where a tracker was, and when in UTC milliseconds. */
export type Fix = { lat: number; lng: number; time: number };

/**
 * In how many seconds the tracker may be there: the straight way, longer by what roads add, at a speed of towns. 0 where it is
 * there, null where it is over or nobody knows where the tracker is now.
 */
export function estimatedTime(
  { status, location }: Pick<TaskRow, "status" | "location">,
  fix: Fix | null,
  now: number,
): number | null {
  if (status === "arrived") return 0;
  if (status !== "assigned" || !fix || now - fix.time > FRESH_MS) return null;
  const { lat, lng, radius } = placeOf(location);
  const meters = Math.max(0, metersBetween(fix.lat, fix.lng, lat, lng) - radius);
  return Math.round((meters * ROADS_ARE_LONGER) / METERS_PER_SECOND);
}

const FRESH_MS = 15 * MINUTE_MS;
const ROADS_ARE_LONGER = 1.3;
/** 36 km/h. */
const METERS_PER_SECOND = 10;
