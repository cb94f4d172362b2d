import type { LiveRequest } from "./client-message.ts";

/** A subscription of a socket, stored while the socket is open. `except`: trackers left out of "all". */
export type Subscription = Pick<LiveRequest, "type" | "format" | "rateMs" | "trackers" | "readings"> & {
  except: number[];
};

/** Adds a request: trackers are added to the subscription with the same key, if there is one. */
export function addRequest(subscriptions: Subscription[], request: LiveRequest): Subscription[] {
  const existing = subscriptions.find((known) => keyOf(known) === keyOf(request));
  if (!existing) return [...subscriptions, { ...request, except: [] }];
  return subscriptions.map((known) => (known === existing ? { ...known, ...addTrackers(known, request) } : known));
}

/** Removes the trackers from all subscriptions of the type, regardless of format and rate. Empty subscriptions end. */
export function removeRequest(subscriptions: Subscription[], { type, trackers }: LiveRequest): Subscription[] {
  return subscriptions.flatMap((known) => {
    if (known.type !== type) return [known];
    if (trackers === "all") return [];
    const removed = new Set(trackers);
    if (known.trackers === "all") return [{ ...known, except: [...new Set([...known.except, ...trackers])] }];
    const remaining = known.trackers.filter((id) => !removed.has(id));
    return remaining.length > 0 ? [{ ...known, trackers: remaining }] : [];
  });
}

/** Identifies a subscription of a socket: all its members except the trackers. */
export function keyOf({ type, format, rateMs, readings }: Omit<Subscription, "trackers" | "except">): string {
  const kind = readings ? `${readings.sensor_type ?? "all"} ${readings.include_components}` : format;
  return `${type} ${kind} ${rateMs}`;
}

/** True if live updates do not contain the data of the subscription, so that it is queried when they arrive. */
export function isQueried({ type }: Pick<Subscription, "type">): boolean {
  return type === "readings_batch" || type === "iot_monitor";
}

/** A test whether a tracker, which the caller must see, belongs to the subscription. */
export function toTrackerFilter({ trackers, except }: Subscription): (tracker_id: number) => boolean {
  const included = trackers === "all" ? undefined : new Set(trackers);
  const excepted = new Set(except);
  return (id) => (included ? included.has(id) : !excepted.has(id));
}

function addTrackers(
  { trackers, except }: Subscription,
  request: LiveRequest,
): Pick<Subscription, "trackers" | "except"> {
  if (request.trackers === "all") return { trackers: "all", except: [] };
  const added = new Set(request.trackers);
  if (trackers === "all") return { trackers, except: except.filter((id) => !added.has(id)) };
  return { trackers: [...new Set([...trackers, ...added])], except: [] };
}
