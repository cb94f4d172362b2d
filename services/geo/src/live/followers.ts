import type { FollowedTracker, Following, StateFormat } from "#shared/contract/live.ts";

type Follower = Pick<Following, "socket" | "time_zone" | "formats" | "trackers"> & { until: number };

/** The same for all of these sockets: what is written for one is written for all. */
export type Audience = { sockets: string[]; time_zone: string; formats: StateFormat[]; trackers: FollowedTracker[] };

/** Which sockets follow which trackers of a relay, kept in its storage so that an object made anew knows it. */
export class Followers {
  #kv: SyncKvStorage;
  #bySocket = new Map<string, Follower>();
  /** Made of the above when it is asked for. */
  #byFeed: Map<number, Map<string, FollowedTracker[]>> | undefined;

  constructor({ kv }: DurableObjectStorage) {
    this.#kv = kv;
    for (const follower of new Map(kv.list<Follower>({ prefix: PREFIX })).values())
      this.#bySocket.set(follower.socket, follower);
  }

  get isEmpty(): boolean {
    return this.#bySocket.size === 0;
  }

  put({ socket, time_zone, formats, trackers }: Following, until: number) {
    const follower = { socket, time_zone, formats, trackers, until };
    this.#kv.put(PREFIX + socket, follower);
    this.#bySocket.set(socket, follower);
    this.#byFeed = undefined;
  }

  remove(sockets: string[]) {
    for (const socket of sockets) {
      this.#kv.delete(PREFIX + socket);
      this.#bySocket.delete(socket);
    }
    if (sockets.length > 0) this.#byFeed = undefined;
  }

  removeOver(now: number) {
    this.remove([...this.#bySocket.values()].flatMap(({ socket, until }) => (until < now ? socket : [])));
  }

  feeds(): number[] {
    return [...this.#index().keys()];
  }

  trackersOf(feed_id: number): FollowedTracker[] {
    return [...(this.#index().get(feed_id)?.values() ?? [])].flat();
  }

  /** Until a socket says anew what it follows, which is stored. */
  setBlocked(feed_id: number, blocked: boolean) {
    for (const tracker of this.trackersOf(feed_id)) tracker.blocked = blocked;
  }

  /** Sockets that are to hear of the same trackers in the same form are one audience. */
  audiencesOf(feeds: Iterable<number>): Audience[] {
    const heard = new Map<string, FollowedTracker[]>();
    for (const feed_id of feeds)
      for (const [socket, trackers] of this.#index().get(feed_id) ?? []) {
        const known = heard.get(socket);
        if (known) known.push(...trackers);
        else heard.set(socket, [...trackers]);
      }
    const audiences = new Map<string, Audience>();
    for (const [socket, trackers] of heard) {
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

  #index() {
    if (this.#byFeed) return this.#byFeed;
    const byFeed = new Map<number, Map<string, FollowedTracker[]>>();
    for (const { socket, trackers } of this.#bySocket.values())
      for (const tracker of trackers) {
        const sockets = byFeed.get(tracker.feed_id) ?? new Map<string, FollowedTracker[]>();
        sockets.set(socket, [...(sockets.get(socket) ?? []), tracker]);
        byFeed.set(tracker.feed_id, sockets);
      }
    this.#byFeed = byFeed;
    return byFeed;
  }
}

const PREFIX = "socket:";
