import type { Backlog } from "#shared/database/backlog.ts";

/** Work that feeds delay, with the names of these queues in the metrics. */
const QUEUES = { flush_at: "feeds_points", events_at: "feeds_events", audit_at: "feeds_audit" } as const;
type QueuedWork = keyof typeof QUEUES;

/** Feeds of this isolate with waiting work, and since when; the longest waiting first. */
const waiting: Record<QueuedWork, Map<string, number>> = {
  flush_at: new Map(),
  events_at: new Map(),
  audit_at: new Map(),
};

/**
 * Notes that a feed has waiting work; `now` counts only if it had none. Other purposes of the alarm are planned times
 * and never late.
 */
export function noteWaiting(feed: string, what: string, now: number) {
  const feeds = isQueuedWork(what) ? waiting[what] : undefined;
  if (feeds && !feeds.has(feed)) feeds.set(feed, now);
}

export function noteDone(feed: string, what: string) {
  if (isQueuedWork(what)) waiting[what].delete(feed);
}

/** The waiting feeds of each queue in this isolate; on a single machine these are all feeds that are awake. */
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
