import { metersBetween } from "#shared/geometry/distance.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TaskRow } from "../table/task/task.ts";
import { requireLocation } from "../task/schema.ts";

/** A tracker's position, and its time in UTC milliseconds. */
export type Fix = { lat: number; lng: number; time: number };

/**
 * Seconds until the tracker may arrive: the straight line times `ROAD_FACTOR` at the speed of towns. 0 when it has
 * arrived; null when the work is over or the tracker's last fix is missing or too old.
 */
export function estimateSeconds(
  { status, location }: Pick<TaskRow, "status" | "location">,
  fix: Fix | null,
  now: number,
): number | null {
  if (status === "arrived") return 0;
  if (status !== "assigned" || !fix || now - fix.time > MAX_FIX_AGE_MS) return null;
  const zone = requireLocation(location);
  const meters = Math.max(0, metersBetween(fix, zone) - zone.radius);
  return Math.round((meters * ROAD_FACTOR) / TOWN_SPEED_METERS_PER_SECOND);
}

const MAX_FIX_AGE_MS = 15 * MINUTE_MS;
const ROAD_FACTOR = 1.3;
/** Equals 36 km/h. */
const TOWN_SPEED_METERS_PER_SECOND = 10;
