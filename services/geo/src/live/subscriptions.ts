import type { FollowedTracker, StateFormat, Subscription } from "#shared/contract/live.ts";

type StoredSubscription = Pick<Subscription, "socket" | "time_zone" | "formats" | "trackers"> & { until: number };

/** Sockets that receive the same text, which is therefore written once. */
export type Audience = { sockets: string[]; time_zone: string; formats: StateFormat[]; trackers: FollowedTracker[] };

/** The trackers that a relay's sockets subscribe to, kept in its storage so that a restarted relay has them. */
export class Subscriptions {
  #kv: SyncKvStorage;
  #bySocket = new Map<string, StoredSubscription>();
  /** Index by feed, updated with every change: many sockets that connect at once must not rebuild it for each. */
  #byFeed = new Map<number, Map<string, FollowedTracker[]>>();

  constructor({ kv }: DurableObjectStorage) {
    this.#kv = kv;
    for (const follower of new Map(kv.list<StoredSubscription>({ prefix: PREFIX })).values()) this.#add(follower);
  }

  get isEmpty(): boolean {
    return this.#bySocket.size === 0;
  }

  put({ socket, time_zone, formats, trackers }: Subscription, until: number) {
    const follower = { socket, time_zone, formats, trackers, until };
    this.#kv.put(PREFIX + socket, follower);
    this.#add(follower);
  }

  remove(sockets: string[]) {
    for (const socket of sockets) {
      this.#kv.delete(PREFIX + socket);
      this.#unindex(socket);
      this.#bySocket.delete(socket);
    }
  }

  removeExpired(now: number) {
    this.remove([...this.#bySocket.values()].flatMap(({ socket, until }) => (until < now ? socket : [])));
  }

  feeds(): number[] {
    return [...this.#byFeed.keys()];
  }

  trackersOf(feed_id: number): FollowedTracker[] {
    return [...(this.#byFeed.get(feed_id)?.values() ?? [])].flat();
  }

  /** Not stored: the next subscription of the socket has the current value. */
  setBlocked(feed_id: number, blocked: boolean) {
    for (const tracker of this.trackersOf(feed_id)) tracker.blocked = blocked;
  }

  /** Groups sockets that receive the same trackers in the same format and time zone. */
  audiencesOf(feeds: Iterable<number>): Audience[] {
    const trackersBySocket = new Map<string, FollowedTracker[]>();
    for (const feed_id of feeds)
      for (const [socket, trackers] of this.#byFeed.get(feed_id) ?? []) {
        const known = trackersBySocket.get(socket);
        if (known) known.push(...trackers);
        else trackersBySocket.set(socket, [...trackers]);
      }
    const audiences = new Map<string, Audience>();
    for (const [socket, trackers] of trackersBySocket) {
      const follower = this.#bySocket.get(socket);
      if (!follower) continue;
      const { time_zone, formats } = follower;
      const ids = trackers.map(({ tracker_id }) => tracker_id);
      const key = JSON.stringify([time_zone, formats, ids]);
      const audience = audiences.get(key);
      if (audience) audience.sockets.push(socket);
      else audiences.set(key, { sockets: [socket], time_zone, formats, trackers });
    }
    return [...audiences.values()];
  }

  #add(follower: StoredSubscription) {
    this.#unindex(follower.socket);
    this.#bySocket.set(follower.socket, follower);
    this.#index(follower.socket, follower.trackers);
  }

  #index(socket: string, trackers: FollowedTracker[]) {
    for (const tracker of trackers) {
      const sockets = this.#byFeed.get(tracker.feed_id) ?? new Map<string, FollowedTracker[]>();
      this.#byFeed.set(tracker.feed_id, sockets);
      const known = sockets.get(socket);
      if (known) known.push(tracker);
      else sockets.set(socket, [tracker]);
    }
  }

  #unindex(socket: string) {
    for (const { feed_id } of this.#bySocket.get(socket)?.trackers ?? []) {
      const sockets = this.#byFeed.get(feed_id);
      sockets?.delete(socket);
      if (sockets?.size === 0) this.#byFeed.delete(feed_id);
    }
  }
}

const PREFIX = "socket:";
