import { DurableObject } from "cloudflare:workers";
import type { LifecycleEvent, LiveEntry, LiveUpdate, StateFormat, Subscription } from "#shared/contract/live.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../env.ts";
import { logged } from "../log-failure.ts";
import { feedOf } from "../object/addresses.ts";
import type { TrackerCondition } from "../object/feed.ts";
import type { SocketRelay } from "../object/socket-relay.ts";
import { Followers } from "./followers.ts";
import { Revisits } from "./revisits.ts";
import { nextChangeMs } from "./state/tracker-state.ts";
import { type HeardTracker, writtenState } from "./written-state.ts";

/**
 * Stands between some feeds and the sockets of one account, so that a feed tells one object, however many listen, and a
 * socket hears of many feeds at once. It holds what changed since it told the sockets last, the newest of each feed.
 */
export class StateRelay extends DurableObject<GeoEnv> implements SocketRelay {
  #followers: Followers;
  #revisits: Revisits;
  /** By feed. */
  #changed = new Map<number, TrackerCondition>();
  #became = new Map<number, LifecycleEvent>();
  #isTelling = false;
  /** When the sockets will have had as much rest as what they were told has taken them. */
  #restedAt = 0;
  #written = new WeakMap<TrackerCondition, Map<string, string>>();
  /** What feeds have just answered: of many sockets that come at once, one has a feed asked. */
  #asked = new Map<number, { at: number; condition: Promise<TrackerCondition> }>();
  readonly #now: () => number;

  constructor(ctx: DurableObjectState, env: GeoEnv, now: () => number = systemNow) {
    super(ctx, env);
    this.#now = now;
    this.#followers = new Followers(ctx.storage);
    this.#revisits = new Revisits(ctx.storage, now);
  }

  async follow(name: string, following: Subscription): Promise<LiveEntry[]> {
    this.ctx.storage.kv.put("name", name);
    this.#followers.put(following, this.#now() + SOCKET_LEASE_MS);
    await this.#planAlarm();
    const now = nowMs(this.env);
    const fresh = new Set(following.fresh);
    const asked = following.trackers.filter(({ tracker_id, blocked }) => fresh.has(tracker_id) && !blocked);
    const unheard = following.trackers.map(({ feed_id }) => feed_id).filter((feed) => !this.#revisits.isHeard(feed));
    const conditions = await this.#ask([...new Set([...asked.map(({ feed_id }) => feed_id), ...unheard])], now);
    return asked.flatMap((tracker) => {
      const condition = conditions.get(tracker.feed_id);
      const known = condition && { tracker, condition, now };
      return known ? [entryOf(known, following, this.#writtenOf(known.condition))] : [];
    });
  }

  async changed(feed_id: number, condition: TrackerCondition): Promise<boolean> {
    if (!this.#listensTo(feed_id)) return false;
    this.#changed.set(feed_id, condition);
    this.#asked.delete(feed_id);
    this.#tellSoon();
    return true;
  }

  async becameOf(feed_id: number, event: LifecycleEvent, condition: TrackerCondition): Promise<boolean> {
    if (!this.#listensTo(feed_id)) return false;
    this.#became.set(feed_id, event);
    this.#followers.setBlocked(feed_id, event !== "unblock");
    if (event === "unblock") this.#changed.set(feed_id, condition);
    this.#tellSoon();
    return event !== "corrupt";
  }

  /** Each minute while somebody follows: states that time alone changes, and feeds that are about to forget us. */
  override async alarm() {
    this.#followers.removeOver(this.#now());
    this.#revisits.keepOnly(new Set(this.#followers.feeds()));
    this.#asked.clear();
    if (this.#followers.isEmpty) return;
    await this.#planAlarm();
    const now = nowMs(this.env);
    const conditions = await this.#ask(this.#revisits.due(now), now);
    for (const [feed_id, condition] of conditions) await this.changed(feed_id, condition);
  }

  /** A feed that is told no forgets us. */
  #listensTo(feed_id: number): boolean {
    const listens = this.#followers.trackersOf(feed_id).length > 0;
    if (!listens) this.#revisits.remove(feed_id);
    return listens;
  }

  /** Asks feeds for their state and to tell their changes; in waves, so that not all of them wake up together. */
  async #ask(feeds: number[], now: number): Promise<Map<number, TrackerCondition>> {
    const name = this.ctx.storage.kv.get<string>("name") ?? "";
    const found = new Map<number, TrackerCondition>();
    for (let start = 0; start < feeds.length; start += WAVE) {
      const wave = feeds.slice(start, start + WAVE).map(async (feed_id) => {
        found.set(feed_id, await this.#conditionOf(feed_id, name, now));
      });
      // What fails is asked again in a minute.
      for (const outcome of await Promise.allSettled(wave)) if (outcome.status === "rejected") logged(outcome.reason);
    }
    return found;
  }

  async #conditionOf(feed_id: number, name: string, now: number): Promise<TrackerCondition> {
    const known = this.#asked.get(feed_id);
    if (known && this.#now() - known.at < FRESH_MS) return known.condition;
    const condition = feedOf(this.env, feed_id).follow(name, this.#now() + FEED_LEASE_MS, now);
    this.#asked.set(feed_id, { at: this.#now(), condition });
    try {
      const answered = await condition;
      this.#revisits.put(feed_id, this.#now() + FEED_LEASE_MS / 2, this.#nextChange(feed_id, answered, now));
      return answered;
    } catch (thrown) {
      // What failed is no answer to keep.
      this.#asked.delete(feed_id);
      throw thrown;
    }
  }

  /** What was written of one answer of a feed, for all who come while it is kept. */
  #writtenOf(condition: TrackerCondition): Map<string, string> {
    const written = this.#written.get(condition) ?? new Map<string, string>();
    this.#written.set(condition, written);
    return written;
  }

  #nextChange(feed_id: number, condition: TrackerCondition, now: number) {
    const [tracker] = this.#followers.trackersOf(feed_id);
    const gapMs = Number(this.env.TRIP_GAP_MINUTES) * MINUTE_MS;
    return tracker ? nextChangeMs(condition, tracker.creation_date, gapMs, now) : null;
  }

  /** What comes in while the sockets are being told is told next, the newest of it. */
  #tellSoon() {
    if (this.#isTelling) return;
    this.#isTelling = true;
    this.#collect(this.#now());
  }

  /** Until nothing more comes for a moment: few wait hardly at all, and a crowd of sockets, told all the time, rests. */
  #collect(since: number) {
    const before = this.#waiting;
    const restMs = Math.min(this.#restedAt - this.#now() - MOST_BUSY_MS, MOST_COLLECTED_MS);
    setTimeout(
      () => {
        if (this.#waiting > before && this.#now() - since < MOST_COLLECTED_MS) this.#collect(since);
        else this.ctx.waitUntil(this.#tellNow());
      },
      Math.max(QUIET_MS, restMs),
    );
  }

  async #tellNow() {
    const begun = this.#now();
    await this.#tellAll().catch(logged);
    const ended = this.#now();
    const restedAt = Math.max(this.#restedAt, begun) + 2 * (ended - begun);
    this.#restedAt = Math.min(restedAt, ended + MOST_BUSY_MS + MOST_COLLECTED_MS);
    this.#isTelling = false;
    if (this.#waiting > 0) this.#tellSoon();
  }

  get #waiting(): number {
    return this.#changed.size + this.#became.size;
  }

  async #tellAll() {
    const [changed, became] = [this.#changed, this.#became];
    [this.#changed, this.#became] = [new Map(), new Map()];
    const now = nowMs(this.env);
    for (const [feed_id, condition] of changed)
      this.#revisits.changed(feed_id, this.#nextChange(feed_id, condition, now));
    const audiences = this.#followers.audiencesOf(new Set([...changed.keys(), ...became.keys()]));
    const written = new Map<string, string>();
    const tells = audiences.map(async ({ sockets, trackers, ...form }) => {
      const entries: LiveEntry[] = [];
      const lifecycles: LiveUpdate["lifecycles"] = [];
      for (const tracker of trackers) {
        const { tracker_id, source_id, feed_id, blocked } = tracker;
        const condition = changed.get(feed_id);
        const lifecycle_event = became.get(feed_id);
        if (condition && !blocked) entries.push(entryOf({ tracker, condition, now }, form, written));
        if (lifecycle_event) lifecycles.push({ tracker_id, source_id, lifecycle_event });
      }
      return this.env.SOCKETS.deliver(sockets, newsOf(entries, lifecycles, form.formats));
    });
    this.#followers.remove((await Promise.all(tells)).flat());
  }

  async #planAlarm() {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(this.#now() + MINUTE_MS);
  }
}

function newsOf(entries: LiveEntry[], lifecycles: LiveUpdate["lifecycles"], formats: StateFormat[]): LiveUpdate {
  const news: LiveUpdate = { tracker_ids: entries.map(({ tracker_id }) => tracker_id), states: {}, lifecycles };
  for (const format of formats) {
    const texts = entries.map(({ states }) => states[format] ?? "");
    let end = -1;
    const ends = texts.map((text) => {
      end += 1 + text.length;
      return end;
    });
    news.states[format] = { text: texts.join(","), ends };
  }
  return news;
}

/** In the forms that are asked for; what was written in this form for somebody else is not written again. */
function entryOf(
  known: HeardTracker,
  { time_zone, formats }: Pick<Subscription, "time_zone" | "formats">,
  written: Map<string, string> = new Map(),
): LiveEntry {
  const { tracker_id } = known.tracker;
  const states: LiveEntry["states"] = {};
  for (const format of formats) {
    const key = `${tracker_id} ${format} ${time_zone}`;
    const text = written.get(key) ?? writtenState(known, format, time_zone);
    written.set(key, text);
    states[format] = text;
  }
  return { tracker_id, states };
}

/** A moment for what comes from many feeds at once. */
const QUIET_MS = 5;
const MOST_COLLECTED_MS = 100;
/** So long sockets may be told without a rest. */
const MOST_BUSY_MS = 200;
const FRESH_MS = 1000;
const WAVE = 100;
/** A socket says each minute that it still follows. */
const SOCKET_LEASE_MS = 5 * MINUTE_MS;
const FEED_LEASE_MS = 60 * MINUTE_MS;
