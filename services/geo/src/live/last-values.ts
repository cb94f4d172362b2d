import type { Principal } from "#shared/caller/principal.ts";
import type { TrackerValues } from "#shared/contract/live.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../object/addresses.ts";

/** The last values of trackers that the principal sees; for few trackers, as it calls each feed. */
export async function lastValuesOf(env: GeoEnv, principal: Principal, tracker_ids: number[]): Promise<TrackerValues[]> {
  const visible = await env.FLEET.trackersOf(principal, tracker_ids);
  const open = visible.filter(({ blocked }) => !blocked);
  return Promise.all(
    open.map(async ({ tracker_id, feed }) => ({
      tracker_id,
      ...(await feedOf(env, feed.tracker_id).lastValues()),
    })),
  );
}
