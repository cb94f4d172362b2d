import type { FollowedTracker, LiveEntry, Subscription } from "#shared/contract/live.ts";
import type { GeoEnv } from "../env.ts";

/**
 * Passes a socket's subscription to the relays of its trackers. A relay without any of them forgets the socket when its
 * lease ends.
 */
export async function subscribe(env: GeoEnv, subscription: Subscription): Promise<LiveEntry[]> {
  const trackersByRelay = new Map<string, FollowedTracker[]>();
  for (const tracker of subscription.trackers) {
    const name = relayName(subscription.account_id, tracker.feed_id);
    const trackersOfRelay = trackersByRelay.get(name) ?? [];
    trackersOfRelay.push(tracker);
    trackersByRelay.set(name, trackersOfRelay);
  }
  const fresh = new Set(subscription.fresh);
  const answers = [...trackersByRelay].map(([name, trackers]) => {
    const freshIds = trackers.flatMap(({ tracker_id }) => (fresh.has(tracker_id) ? tracker_id : []));
    return env.RELAYS.getByName(name).subscribe(name, { ...subscription, trackers, fresh: freshIds });
  });
  return (await Promise.all(answers)).flat();
}

/** An object handles a thousand calls a second: few trackers share one relay, many are spread over several. */
function relayName(account_id: number, feed_id: number) {
  return `${account_id}/${Math.floor(feed_id / TRACKERS_PER_BLOCK) % RELAYS_PER_ACCOUNT}`;
}

const TRACKERS_PER_BLOCK = 1024;
const RELAYS_PER_ACCOUNT = 16;
