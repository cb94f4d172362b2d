import type { VisibleTracker } from "#shared/contract/visible-tracker.ts";
import type { FleetEnv } from "../env.ts";

export type Place = { lat: number; lng: number; address: string };

/** Where the tracker was last seen; null where it never was, or where geo cannot tell now: no change waits for that. */
export async function lastPlace(env: FleetEnv, { feed }: VisibleTracker): Promise<Place | null> {
  const point = await env.GEO.lastGpsPoint(feed.tracker_id).catch(() => null);
  return point && { lat: point.lat, lng: point.lng, address: "" };
}
