import type { Principal } from "#shared/caller/principal.ts";
import type { FollowedTracker, LiveEntry } from "#shared/contract/live.ts";
import type { VisibleTracker } from "#shared/contract/visible-tracker.ts";
import { invalid } from "#shared/error/api-error.ts";
import type { GatewayEnv } from "../env.ts";
import { unavailable } from "../unavailable.ts";
import { isAskedFor, membership, type Subscription } from "./subscription.ts";

/** What a socket's subscriptions are of: the trackers of theirs that the caller sees. */
export type Selection = { trackers: VisibleTracker[] };

export async function selectTrackers(
  env: GatewayEnv,
  principal: Principal,
  subscriptions: Subscription[],
): Promise<Selection> {
  const most = Number(env.SOCKET_TRACKERS);
  const ids = new Set(subscriptions.flatMap(({ trackers }) => (trackers === "all" ? [] : trackers)));
  const left = new Set(subscriptions.flatMap(({ except }) => except));
  if (ids.size > most || left.size > most) throw invalid("requests", `must be of at most ${most} trackers together`);
  if (subscriptions.some(({ trackers }) => trackers === "all"))
    return { trackers: await env.FLEET.allTrackers(principal, most).catch(unavailable) };
  return { trackers: ids.size > 0 ? await env.FLEET.trackersOf(principal, [...ids]).catch(unavailable) : [] };
}

type Follower = { socket: string; principal: Principal; subscriptions: Subscription[] };

/** Messages are watched of a few trackers: of those that the caller sees when it asks, where it asks for all of them. */
export function withMonitored(subscriptions: Subscription[], { trackers }: Selection): Subscription[] {
  const visible = trackers.map(({ tracker_id }) => tracker_id);
  const settled = subscriptions.map((one) =>
    one.type === "iot_monitor" && one.trackers === "all"
      ? { ...one, trackers: visible.filter(membership(one)), except: [] }
      : one,
  );
  const monitored = new Set(
    settled.flatMap(({ type, trackers }) => (type === "iot_monitor" && trackers !== "all" ? trackers : [])),
  );
  if (monitored.size > MOST_MONITORED)
    throw invalid("requests", `must be of at most ${MOST_MONITORED} trackers for iot_monitor`);
  return settled;
}

/** Has the socket told of the trackers that any subscription is of; the answer is the states of the fresh ones. */
export function followedOf(
  env: GatewayEnv,
  { socket, principal, subscriptions }: Follower,
  { trackers }: Selection,
  fresh: number[],
): Promise<LiveEntry[]> {
  const formats = [...new Set(subscriptions.flatMap((one) => (isAskedFor(one) ? [] : one.format)))].sort();
  const isOfAny = subscriptions.map(membership);
  const followed = trackers.filter(({ tracker_id }) => isOfAny.some((has) => has(tracker_id)));
  const { account_id, time_zone } = principal;
  return env.GEO.subscribe({ socket, account_id, time_zone, formats, trackers: followed.map(toFollowed), fresh }).catch(
    unavailable,
  );
}

/** For each tracker that was asked for what is to be expected of it. */
export function statusesOf(trackers: "all" | number[], selection: Selection): Record<string, string> {
  const visible = new Map(selection.trackers.map((tracker) => [tracker.tracker_id, tracker]));
  const ids = trackers === "all" ? [...visible.keys()] : trackers;
  return Object.fromEntries(ids.map((id) => [id, statusOf(visible.get(id))]));
}

function statusOf(tracker: VisibleTracker | undefined) {
  if (!tracker) return "unknown";
  return tracker.blocked ? "blocked" : "normal";
}

function toFollowed({ tracker_id, source_id, model, creation_date, blocked, feed }: VisibleTracker): FollowedTracker {
  return { tracker_id, source_id, model, creation_date, blocked, feed_id: feed.tracker_id };
}

const MOST_MONITORED = 10;
