import type { Principal } from "#shared/caller/principal.ts";
import type { FollowedTracker, LiveEntry } from "#shared/contract/live.ts";
import type { VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { invalid } from "#shared/error/api-error.ts";
import type { GatewayEnv } from "../env.ts";
import { throwUnavailable } from "../unavailable.ts";
import { isQueried, type Subscription, toTrackerFilter } from "./subscription.ts";

/** The trackers of a socket's subscriptions that the caller sees. */
export type TrackerSelection = { trackers: VisibleTracker[] };

export async function selectTrackers(
  env: GatewayEnv,
  principal: Principal,
  subscriptions: Subscription[],
): Promise<TrackerSelection> {
  const maxTrackers = Number(env.SOCKET_TRACKERS);
  const ids = new Set(subscriptions.flatMap(({ trackers }) => (trackers === "all" ? [] : trackers)));
  const excepted = new Set(subscriptions.flatMap(({ except }) => except));
  if (ids.size > maxTrackers || excepted.size > maxTrackers)
    throw invalid("requests", `must be of at most ${maxTrackers} trackers together`);
  if (subscriptions.some(({ trackers }) => trackers === "all"))
    return { trackers: await env.FLEET.allTrackers(principal, maxTrackers).catch(throwUnavailable) };
  return { trackers: ids.size > 0 ? await env.FLEET.trackersOf(principal, [...ids]).catch(throwUnavailable) : [] };
}

type SocketSubscriptions = { socket: string; principal: Principal; subscriptions: Subscription[] };

/** Replaces "all" in subscriptions of `iot_monitor` by the visible trackers of this moment; 7 if there are too many. */
export function resolveMonitoredTrackers(
  subscriptions: Subscription[],
  { trackers }: TrackerSelection,
): Subscription[] {
  const visible = trackers.map(({ tracker_id }) => tracker_id);
  const resolved = subscriptions.map((one) =>
    one.type === "iot_monitor" && one.trackers === "all"
      ? { ...one, trackers: visible.filter(toTrackerFilter(one)), except: [] }
      : one,
  );
  const monitored = new Set(
    resolved.flatMap(({ type, trackers }) => (type === "iot_monitor" && trackers !== "all" ? trackers : [])),
  );
  if (monitored.size > MAX_MONITORED_TRACKERS)
    throw invalid("requests", `must be of at most ${MAX_MONITORED_TRACKERS} trackers for iot_monitor`);
  return resolved;
}

/** Subscribes the socket to the states of its trackers, in place of its earlier ones; answers the states of `fresh` ones. */
export function subscribeToStates(
  env: GatewayEnv,
  { socket, principal, subscriptions }: SocketSubscriptions,
  { trackers }: TrackerSelection,
  fresh: number[],
): Promise<LiveEntry[]> {
  const formats = [...new Set(subscriptions.flatMap((one) => (isQueried(one) ? [] : one.format)))].sort();
  const isOfAny = subscriptions.map(toTrackerFilter);
  const subscribed = trackers.filter(({ tracker_id }) => isOfAny.some((has) => has(tracker_id)));
  const { account_id, time_zone } = principal;
  return env.GEO.subscribe({
    socket,
    account_id,
    time_zone,
    formats,
    trackers: subscribed.map(toFollowedTracker),
    fresh,
  }).catch(throwUnavailable);
}

/** The status of each requested tracker: `normal`, `blocked`, or `unknown` if the caller does not see it. */
export function statusesOf(trackers: "all" | number[], selection: TrackerSelection): Record<string, string> {
  const visible = new Map(selection.trackers.map((tracker) => [tracker.tracker_id, tracker]));
  const ids = trackers === "all" ? [...visible.keys()] : trackers;
  return Object.fromEntries(ids.map((id) => [id, statusOf(visible.get(id))]));
}

function statusOf(tracker: VisibleTracker | undefined) {
  if (!tracker) return "unknown";
  return tracker.blocked ? "blocked" : "normal";
}

function toFollowedTracker({
  tracker_id,
  source_id,
  model,
  creation_date,
  blocked,
  feed,
}: VisibleTracker): FollowedTracker {
  return { tracker_id, source_id, model, creation_date, blocked, feed_id: feed.tracker_id };
}

const MAX_MONITORED_TRACKERS = 10;
