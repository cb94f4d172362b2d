import type { Backlog } from "#shared/database/backlog.ts";

/** What feeds put off until it is done, and by which name the figures show how many of them do. */
const QUEUES = { flush_at: "feeds_points", events_at: "feeds_events", audit_at: "feeds_audit" } as const;
type QueuedWork = keyof typeof QUEUES;

/** Which feeds of this isolate have something to do that is not done, the one that has had it for longest first. */
const waiting: Record<QueuedWork, Map<string, number>> = {
  flush_at: new Map(),
  events_at: new Map(),
  audit_at: new Map(),
};

/** A feed has it to do; `now` counts only where it had not. Other dues are appointments, which nobody is late for. */
export function noteWaiting(feed: string, what: string, now: number) {
  const feeds = isQueuedWork(what) ? waiting[what] : undefined;
  if (feeds && !feeds.has(feed)) feeds.set(feed, now);
}

export function noteDone(feed: string, what: string) {
  if (isQueuedWork(what)) waiting[what].delete(feed);
}

/** How many feeds have what to do, as far as they live in this isolate: on one machine all that are not asleep. */
export function feedBacklogs(): Backlog[] {
  return Object.entries(QUEUES).map(([what, queue]) => {
    const feeds = waiting[what as QueuedWork]; // a key of the same object
    const [first = null] = feeds.values();
    return { queue, waiting: feeds.size, first };
  });
}

function isQueuedWork(what: string): what is QueuedWork {
  return what in QUEUES;
}
