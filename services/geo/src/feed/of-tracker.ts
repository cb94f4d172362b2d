import type { GeoEnv } from "../env.ts";

/** A tracker's feed is the object that is named by its id. */
export function feedOf(env: GeoEnv, tracker_id: number) {
  return env.FEEDS.getByName(String(tracker_id));
}
