import type { Mutex } from "#shared/background/mutex.ts";
import type { Activity } from "#shared/contract/activity.ts";
import { nowMs } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import type { PointMemory } from "../../journal/point-memory.ts";
import { pagesAfter } from "../../journal/points-after.ts";
import type { StoredChunks } from "../../journal/stored-chunks.ts";
import { logFailure } from "../../log-failure.ts";
import type { Alarm } from "../../object/alarm.ts";
import type { RuleEvent, WatchedRule } from "../../object/watched-rule.ts";
import type { Identity, Point } from "../../point/point.ts";
import type { PointBatch } from "../../point/point-batch.ts";
import type { Trips } from "../../trip/trips.ts";
import { squareOf, squaresAlong } from "../../zone/squares.ts";
import { type Following, follow, nextWait, wait } from "../evaluation/evaluate.ts";
import type { EvaluationState } from "../evaluation/state.ts";
import { activityEvent, watches } from "./activity-events.ts";
import { Distances } from "./distances.ts";
import { eventOf, markOf } from "./event-of-finding.ts";
import { RuleBookCopy } from "./rule-copy.ts";
import { type MadeEvent, RuleEvents } from "./rule-events.ts";
import { APART_MS, RuleStates } from "./rule-states.ts";
import { Silence } from "./silence.ts";

type Owner = { account_id: number; tracker_id: number };
/** What rules are followed with. */
export type WatchedParts = { memory: PointMemory; stored: StoredChunks; trips: Trips; alarm: Alarm; mutex: Mutex };
type Found = RuleEvent & { found: number };

/**
 * Rules follow points a moment behind their acceptance. From when on they have to is stored along with the points; what
 * they find is stored in one go with how far they have come.
 */
export class RuleWatch {
  readonly events: RuleEvents;
  #ctx: DurableObjectState;
  #env: GeoEnv;
  #parts: WatchedParts;
  #owner: () => Owner | undefined;
  #copy: RuleBookCopy;
  #states: RuleStates;
  #silence: Silence;
  #distances: Distances;
  /** From when on rules count, by their ids; with the key of the rule that was meant. */
  #begun: Record<number, { key: string; time: number }>;
  #pending: number | null;
  /** The earliest time that came in while rules were being followed. */
  #came: number | null = null;
  #isRunning = false;

  constructor(ctx: DurableObjectState, env: GeoEnv, parts: WatchedParts, owner: () => Owner | undefined) {
    const { storage } = ctx;
    this.#ctx = ctx;
    this.#env = env;
    this.#parts = parts;
    this.#owner = owner;
    this.#copy = new RuleBookCopy(storage, env, owner);
    this.#states = new RuleStates(storage);
    this.events = new RuleEvents(storage, env, parts.alarm);
    this.#distances = new Distances(storage, env, this.events);
    this.#silence = new Silence(storage.kv, parts.alarm);
    this.#begun = storage.kv.get<Record<number, { key: string; time: number }>>("rules_begun") ?? {};
    this.#pending = storage.kv.get<number>("rules_from") ?? null;
  }

  /** There is no rule, so that points lead to nothing here. */
  get isIdle() {
    return this.#copy.rules?.length === 0 && this.#pending === null;
  }

  get copy(): RuleBookCopy {
    return this.#copy;
  }

  /** In one go with the points: rules are to follow them. */
  note(sent: PointBatch, now: number) {
    const { rules } = this.#copy;
    const owner = this.#owner();
    if (owner && rules) this.#heard(owner, now);
    // Nobody knows yet whether there are rules: then it is as if there were.
    const first = rules?.length === 0 ? null : sent.firstSince(now - this.#lateMs);
    if (!first) return;
    this.#begin(rules ?? [], first.time);
    this.#came = Math.min(this.#came ?? first.time, first.time);
    this.#setPending(Math.min(this.#pending ?? first.time, first.time));
    if (this.#isRunning) return;
    // Behind the answer; if the process dies first, the alarm does it.
    this.#parts.alarm.schedule(RETRY_MS, "rules_at");
    this.#ctx.waitUntil(this.runOrPause());
  }

  /** Points in order, and what time alone shows. */
  async runOrPause() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      do {
        await this.#parts.mutex.run(() => this.#run());
      } while (this.#pending !== null);
    } catch (thrown) {
      logFailure(thrown);
      this.#parts.alarm.schedule(RETRY_MS, "rules_at");
    } finally {
      this.#isRunning = false;
    }
  }

  /** `place`: where the tracker was seen last. */
  async followActivities(activities: Activity[], place: Identity | null) {
    await this.#copy.refreshNow();
    const due = activities.map((activity) => ({
      activity,
      rules: (this.#copy.rules ?? []).filter((rule) => watches(rule, activity)),
    }));
    if (due.every(({ rules }) => rules.length === 0)) return;
    const surroundings = await this.#copy.surroundings(place ? [squareOf(place)] : []);
    // From here on nothing waits: all of them are stored in one go.
    for (const { activity, rules } of due) {
      for (const rule of rules) {
        const event = activityEvent(rule, activity, place, surroundings, this.#parts.trips.idAt(activity.time));
        if (event) this.events.add(rule.id, event);
      }
    }
  }

  /** A device that says nothing may be offline. */
  checkSilence(lastMessage: number | null) {
    const owner = this.#owner();
    if (owner) this.#silence.check(this.#copy.rules ?? [], owner, nowMs(this.#env), lastMessage, this.events);
  }

  #heard(owner: Owner, now: number) {
    this.#silence.heard(this.#copy.rules ?? [], owner, now, this.events);
  }

  get #lateMs() {
    return Number(this.#env.RULE_LATE_HOURS) * HOUR_MS;
  }

  async #run() {
    await this.#copy.refresh();
    const { rules } = this.#copy;
    const now = nowMs(this.#env);
    if (rules === null) throw new Error("nobody tells the rules");
    if (rules.length === 0) {
      this.#setPending(null);
      this.#states.clear();
      return;
    }
    const from = this.#pending ?? Number.POSITIVE_INFINITY;
    this.#came = null;
    const base = this.#states.before(from, this.#parts.memory.lastBefore(from));
    const ids = new Set(rules.map(({ id }) => id));
    for (const id of Object.keys(base.rules).map(Number)) if (!ids.has(id)) delete base.rules[id];
    const after: Identity = base.last ?? {
      time: from === Number.POSITIVE_INFINITY ? now : from - 1,
      lat: 91,
      lng: 181,
    };
    const { found, states, state, following } = await this.#follow(base, after);
    const owner = this.#owner();
    if (owner && state.last) await this.#distances.follow(rules, owner, state.last, following.surroundings);

    // From here on nothing waits: all of it is stored in one go.
    const waiting: EvaluationState = JSON.parse(JSON.stringify(state));
    const waited = wait(waiting, now, following).map((one) => ({ ...one, found: (state.last?.time ?? now) + 1 }));
    this.#commit(after.time, [...found, ...waited], states, now);
    const next = nextWait(waiting, following);
    if (next === null) this.#parts.alarm.cancel("rules_at");
    else this.#parts.alarm.schedule(Math.max(next - now, 0) + SETTLED_MS, "rules_at");
  }

  /** Follows all points behind one, page by page. */
  async #follow(state: EvaluationState, after: Identity) {
    const found: Found[] = [];
    const states: [number, string][] = [];
    let following = await this.#followingOf([], state.last);
    let kept = after.time;
    for await (const points of pagesAfter(this.#parts, after)) {
      following = await this.#followingOf(points, state.last);
      for (const point of points) {
        const { last } = state;
        if (last && last.time >= kept + APART_MS && last.time < point.time) {
          states.push([last.time, JSON.stringify(state)]);
          kept = last.time;
        }
        for (const one of follow(state, point, following)) found.push({ ...one, found: point.time });
      }
    }
    const { last } = state;
    if (last && last.time > after.time) states.push([last.time, JSON.stringify(state)]);
    return { found, states, state, following };
  }

  /** With the zones around the points at hand. */
  async #followingOf(points: Point[], last: Identity | null): Promise<Following> {
    const squares = new Set<number>();
    let before = last;
    for (const point of points) {
      for (const square of squaresAlong(before && isNear(before, point) ? before : point, point)) squares.add(square);
      if (before) for (const square of squaresAlong(before, before)) squares.add(square);
      before = point;
    }
    return {
      rules: this.#copy.rules ?? [],
      since: (rule: WatchedRule) => {
        const begun = this.#begun[rule.id];
        return begun?.key === rule.key ? begun.time : Number.POSITIVE_INFINITY;
      },
      surroundings: await this.#copy.surroundings(squares),
      trips: this.#parts.trips.rules,
    };
  }

  #commit(after: number, found: Found[], states: [number, string][], now: number) {
    const owner = this.#owner();
    if (!owner) return;
    const rules = new Map((this.#copy.rules ?? []).map((rule) => [rule.id, rule]));
    const made = found.flatMap((one): MadeEvent[] => {
      const rule = rules.get(one.rule_id);
      if (!rule) return [];
      const event = eventOf(one, rule, owner, this.#parts.trips.idAt(one.time));
      return [{ rule_id: rule.id, key: rule.key, found: one.found, mark: markOf(one), event }];
    });
    this.events.replace(after, made, new Map([...rules].map(([id, { key }]) => [id, key])));
    this.#states.replace(after, states, now, now - this.#lateMs);
    this.events.forgetBefore(now - this.#lateMs);
    this.#setPending(this.#came);
  }

  /** A rule counts from the earliest point on that came in while it was there. */
  #begin(rules: WatchedRule[], time: number) {
    const begun = { ...this.#begun };
    for (const { id, key } of rules) {
      const known = begun[id];
      begun[id] = known?.key === key ? { key, time: Math.min(known.time, time) } : { key, time };
    }
    const kept = Object.fromEntries(rules.flatMap(({ id }) => (begun[id] ? [[id, begun[id]]] : [])));
    if (JSON.stringify(kept) === JSON.stringify(this.#begun)) return;
    this.#begun = kept;
    this.#ctx.storage.kv.put("rules_begun", kept);
  }

  #setPending(time: number | null) {
    if (time === this.#pending) return;
    this.#pending = time;
    if (time === null) this.#ctx.storage.kv.delete("rules_from");
    else this.#ctx.storage.kv.put("rules_from", time);
  }
}

function isNear(one: Identity, other: Identity) {
  return (
    Math.abs(one.lat - other.lat) < 0.5 && Math.abs(one.lng - other.lng) < 2 && other.time - one.time < STRAIGHT_MS
  );
}

/** After this they are followed again where that failed. */
const RETRY_MS = 10_000;
/** So long after something is due by the clock it is looked at. */
const SETTLED_MS = 1000;
/** No step is followed along its line that took longer. */
const STRAIGHT_MS = 300_001;
