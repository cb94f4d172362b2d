import type { FollowedTracker, LiveEntry, Subscription } from "#shared/contract/live.ts";
import type { GeoEnv } from "../env.ts";

/** Tells each relay of the trackers that are its own. A relay without any forgets the socket when its time is over. */
export async function follow(env: GeoEnv, following: Subscription): Promise<LiveEntry[]> {
  const shares = new Map<string, FollowedTracker[]>();
  for (const tracker of following.trackers) {
    const name = relayName(following.account_id, tracker.feed_id);
    const share = shares.get(name) ?? [];
    share.push(tracker);
    shares.set(name, share);
  }
  const fresh = new Set(following.fresh);
  const answers = [...shares].map(([name, trackers]) => {
    const asked = trackers.flatMap(({ tracker_id }) => (fresh.has(tracker_id) ? tracker_id : []));
    return env.RELAYS.getByName(name).follow(name, { ...following, trackers, fresh: asked });
  });
  return (await Promise.all(answers)).flat();
}

/** An object takes a thousand calls a second: few trackers share one relay, many are spread over several. */
function relayName(account_id: number, feed_id: number) {
  return `${account_id}/${Math.floor(feed_id / BLOCK) % RELAYS}`;
}

const BLOCK = 1024;
const RELAYS = 16;
