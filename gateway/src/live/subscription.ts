import type { LiveRequest } from "./client-message.ts";

/** What a socket is told of, kept while it is open. Of all trackers, some may be left out again. */
export type Subscription = Pick<LiveRequest, "type" | "format" | "rateMs" | "trackers" | "readings"> & {
  except: number[];
};

/** Subscriptions add up: one that differs in its trackers alone grows. */
export function addRequest(subscriptions: Subscription[], request: LiveRequest): Subscription[] {
  const same = subscriptions.find((known) => keyOf(known) === keyOf(request));
  if (!same) return [...subscriptions, { ...request, except: [] }];
  return subscriptions.map((known) => (known === same ? { ...known, ...addTrackers(known, request) } : known));
}

/** Whatever the format and the rate: the trackers are told of no more. What is left without any is over. */
export function removeRequest(subscriptions: Subscription[], { type, trackers }: LiveRequest): Subscription[] {
  return subscriptions.flatMap((known) => {
    if (known.type !== type) return [known];
    if (trackers === "all") return [];
    const gone = new Set(trackers);
    if (known.trackers === "all") return [{ ...known, except: [...new Set([...known.except, ...trackers])] }];
    const left = known.trackers.filter((id) => !gone.has(id));
    return left.length > 0 ? [{ ...known, trackers: left }] : [];
  });
}

/** By which subscriptions of the same kind are told apart. */
export function keyOf({ type, format, rateMs, readings }: Omit<Subscription, "trackers" | "except">): string {
  const kind = readings ? `${readings.sensor_type ?? "all"} ${readings.include_components}` : format;
  return `${type} ${kind} ${rateMs}`;
}

/** Whether changes do not come with the news of a tracker: they are asked for then. */
export function isQueried({ type }: Pick<Subscription, "type">): boolean {
  return type === "readings_batch" || type === "iot_monitor";
}

/** Whether the subscription is of a tracker that the caller sees. */
export function toTrackerFilter({ trackers, except }: Subscription): (tracker_id: number) => boolean {
  const [named, left] = [trackers === "all" ? undefined : new Set(trackers), new Set(except)];
  return (id) => (named ? named.has(id) : !left.has(id));
}

function addTrackers(
  { trackers, except }: Subscription,
  request: LiveRequest,
): Pick<Subscription, "trackers" | "except"> {
  if (request.trackers === "all") return { trackers: "all", except: [] };
  const wanted = new Set(request.trackers);
  if (trackers === "all") return { trackers, except: except.filter((id) => !wanted.has(id)) };
  return { trackers: [...new Set([...trackers, ...wanted])], except: [] };
}
