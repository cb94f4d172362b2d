import type { Mutex } from "#shared/background/mutex.ts";
import { STEPS_PER_SLICE, WorkBudget } from "#shared/background/work-budget.ts";
import type { Activity } from "#shared/contract/event/activity.ts";
import { nowMs } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import type { PointMemory } from "../../journal/point-memory.ts";
import { pagesAfter } from "../../journal/points-after.ts";
import type { StoredChunks } from "../../journal/stored-chunks.ts";
import { logFailure } from "../../log-failure.ts";
import type { Alarm } from "../../object/alarm.ts";
import type { RuleEvent, WatchedRule } from "../../object/watched-rule.ts";
import { type Identity, latestAt, type Point } from "../../point/point.ts";
import type { PointBatch } from "../../point/point-batch.ts";
import type { Trips } from "../../trip/trips.ts";
import { squareOf, squaresAlong } from "../../zone/squares.ts";
import { zoneSteps } from "../../zone/zone-steps.ts";
import { type EvaluationContext, evaluatePoint, evaluateTime, nextDueTime } from "../evaluation/evaluate.ts";
import { STEPS_PER_POINT } from "../evaluation/point-steps.ts";
import type { EvaluationState } from "../evaluation/state.ts";
import { toActivityEvent, watchesActivity } from "./activity-events.ts";
import { DistanceWatch } from "./distance-watch.ts";
import { fingerprintOf, toHistoryEvent } from "./history-event.ts";
import { type NewRuleEvent, RuleEvents } from "./rule-events.ts";
import { RuleStates, STATE_INTERVAL_MS } from "./rule-states.ts";
import { SilenceWatch } from "./silence-watch.ts";
import { TrackerRules } from "./tracker-rules.ts";

type Owner = { account_id: number; tracker_id: number };
/** Parts of the feed that rules and visits are evaluated with. */
export type FeedParts = { memory: PointMemory; stored: StoredChunks; trips: Trips; alarm: Alarm; mutex: Mutex };
type FoundEvent = RuleEvent & { pointTime: number };

/**
 * Evaluates the tracker's rules shortly after points were acknowledged. The time to start from is stored in the same
 * write as the points; events, the new states and the time to continue from are stored in one write for each turn.
 */
export class RuleWatch {
  readonly events: RuleEvents;
  #ctx: DurableObjectState;
  #env: GeoEnv;
  #feed: FeedParts;
  #owner: () => Owner | undefined;
  #rules: TrackerRules;
  #states: RuleStates;
  #silence: SilenceWatch;
  #distances: DistanceWatch;
  /** Since when each rule is evaluated, by rule id. `key` is the rule's version: an edited rule starts anew. */
  #startTimes: Record<number, { key: string; time: number }>;
  #pendingFrom: number | null;
  /** The earliest time of points that arrived during a run: the next run starts from there. */
  #arrivedDuringRun: number | null = null;
  #isRunning = false;
  #maxStepsPerTurn: number;

  constructor(
    ctx: DurableObjectState,
    env: GeoEnv,
    feed: FeedParts,
    owner: () => Owner | undefined,
    maxStepsPerTurn = MAX_STEPS_PER_TURN,
  ) {
    const { storage } = ctx;
    this.#maxStepsPerTurn = maxStepsPerTurn;
    this.#ctx = ctx;
    this.#env = env;
    this.#feed = feed;
    this.#owner = owner;
    this.#rules = new TrackerRules(storage, env, owner);
    this.#states = new RuleStates(storage);
    this.events = new RuleEvents(storage, env, feed.alarm);
    this.#distances = new DistanceWatch(storage, env, this.events);
    this.#silence = new SilenceWatch(storage.kv, feed.alarm);
    this.#startTimes = storage.kv.get<Record<number, { key: string; time: number }>>("rule_start_times") ?? {};
    this.#pendingFrom = storage.kv.get<number>("rules_pending_from") ?? null;
  }

  /** True without rules: points change nothing here. */
  get isIdle() {
    return this.#rules.rules?.length === 0 && this.#pendingFrom === null;
  }

  get trackerRules(): TrackerRules {
    return this.#rules;
  }

  /** Notes in the same write as the points that rules have to be evaluated from the earliest of them. */
  notePoints(batch: PointBatch, now: number) {
    const { rules } = this.#rules;
    const owner = this.#owner();
    if (owner && rules) this.#noteHeard(owner, now);
    // While the rules are unknown, the points are noted as if there were some.
    const first = rules?.length === 0 ? null : batch.firstSince(now - this.#lateMs);
    if (!first) return;
    this.#noteStart(rules ?? [], first.time);
    this.#arrivedDuringRun = Math.min(this.#arrivedDuringRun ?? first.time, first.time);
    this.#setPendingFrom(Math.min(this.#pendingFrom ?? first.time, first.time));
    if (this.#isRunning) return;
    // Runs after the answer. The alarm starts the run if the process dies before.
    this.#feed.alarm.schedule(RETRY_DELAY_MS, "rules_at");
    this.#ctx.waitUntil(this.runOrPause());
  }

  /**
   * Evaluates noted points and due times in turns, until a turn leaves no points and none arrived meanwhile. Between two
   * turns flushes run, so that long work of rules never fills the memory of open points.
   */
  async runOrPause() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      do {
        await this.#feed.mutex.run(() => this.#evaluate());
      } while (this.#pendingFrom !== null);
    } catch (thrown) {
      logFailure(thrown);
      this.#feed.alarm.schedule(RETRY_DELAY_MS, "rules_at");
    } finally {
      this.#isRunning = false;
    }
  }

  /** Evaluates rules on activities. `position` is the tracker's last position. */
  async evaluateActivities(activities: Activity[], position: Identity | null) {
    await this.#rules.refreshNow();
    const due = activities.map((activity) => ({
      activity,
      rules: (this.#rules.rules ?? []).filter((rule) => watchesActivity(rule, activity)),
    }));
    if (due.every(({ rules }) => rules.length === 0)) return;
    const zoneIndex = await this.#rules.zonesAround(position ? [squareOf(position)] : []);
    // No await from here on: all events are stored in one write.
    for (const { activity, rules } of due) {
      for (const rule of rules) {
        const event = toActivityEvent(rule, activity, position, zoneIndex, this.#feed.trips.idAt(activity.time));
        if (event) this.events.add(rule.id, event);
      }
    }
  }

  /** Fires `offline` rules of a silent device. */
  checkSilence(lastMessage: number | null) {
    const owner = this.#owner();
    if (owner) this.#silence.check(this.#rules.rules ?? [], owner, nowMs(this.#env), lastMessage, this.events);
  }

  #noteHeard(owner: Owner, now: number) {
    this.#silence.noteHeard(this.#rules.rules ?? [], owner, now, this.events);
  }

  get #lateMs() {
    return Number(this.#env.RULE_LATE_HOURS) * HOUR_MS;
  }

  async #evaluate() {
    await this.#rules.refresh();
    const { rules } = this.#rules;
    const now = nowMs(this.#env);
    if (rules === null) throw new Error("the tracker's rules could not be read");
    if (rules.length === 0) {
      this.#setPendingFrom(null);
      this.#states.clear();
      return;
    }
    const from = this.#pendingFrom ?? Number.POSITIVE_INFINITY;
    this.#arrivedDuringRun = null;
    const base = this.#states.stateBefore(from, this.#feed.memory.lastBefore(from));
    const ids = new Set(rules.map(({ id }) => id));
    for (const id of Object.keys(base.rules).map(Number)) if (!ids.has(id)) delete base.rules[id];
    const after: Identity = base.last ?? latestAt(from === Number.POSITIVE_INFINITY ? now : from - 1);
    const { pointEvents, states, state, context, nextTime } = await this.#evaluatePoints(base, after);
    if (nextTime !== null) {
      this.#commit({ after: after.time, until: state.last?.time ?? after.time }, pointEvents, states, now);
      this.#setPendingFrom(Math.min(this.#pendingFrom ?? nextTime, nextTime));
      // The alarm continues the work if the process dies before.
      this.#feed.alarm.schedule(RETRY_DELAY_MS, "rules_at");
      return;
    }
    const owner = this.#owner();
    if (owner && state.last) await this.#distances.evaluate(rules, owner, state.last, context.zoneIndex);

    // No await from here on: everything is stored in one write.
    const stateAtNow: EvaluationState = JSON.parse(JSON.stringify(state));
    const timedEvents = evaluateTime(stateAtNow, now, context).map((one) => ({
      ...one,
      pointTime: (state.last?.time ?? now) + 1,
    }));
    const range = { after: after.time, until: Number.POSITIVE_INFINITY };
    this.#commit(range, [...pointEvents, ...timedEvents], states, now);
    const next = nextDueTime(stateAtNow, context);
    if (next === null) this.#feed.alarm.cancel("rules_at");
    else this.#feed.alarm.schedule(Math.max(next - now, 0) + DUE_DELAY_MS, "rules_at");
  }

  /**
   * Evaluates the points after one, page by page and in slices. `nextTime`: the time of the first point that is left to
   * the next turn; null: none is.
   */
  async #evaluatePoints(state: EvaluationState, after: Identity) {
    const budget = new WorkBudget({ limit: Number.POSITIVE_INFINITY });
    let spent = 0;
    let nextTime: number | null = null;
    const pointEvents: FoundEvent[] = [];
    const states: [number, string][] = [];
    let context = await this.#contextFor([], state.last);
    let lastStateTime = after.time;
    pages: for await (const points of pagesAfter(this.#feed, after)) {
      context = await this.#contextFor(points, state.last);
      for (const point of points) {
        const { last } = state;
        // The next turn continues from a stored state, which has to be later than that of this turn.
        if (spent > this.#maxStepsPerTurn && last && last.time > after.time && last.time < point.time) {
          nextTime = point.time;
          break pages;
        }
        if (last && last.time >= lastStateTime + STATE_INTERVAL_MS && last.time < point.time) {
          states.push([last.time, JSON.stringify(state)]);
          lastStateTime = last.time;
        }
        const before = zoneSteps();
        for (const one of evaluatePoint(state, point, context)) pointEvents.push({ ...one, pointTime: point.time });
        const steps = zoneSteps() - before + STEPS_PER_POINT * context.rules.length;
        spent += steps;
        const pause = budget.spend(steps);
        if (pause) await pause;
      }
    }
    const { last } = state;
    if (last && last.time > after.time) states.push([last.time, JSON.stringify(state)]);
    return { pointEvents, states, state, context, nextTime };
  }

  /** The context for these points, with the zones around them loaded. */
  async #contextFor(points: Point[], last: Identity | null): Promise<EvaluationContext> {
    const squares = new Set<number>();
    let before = last;
    for (const point of points) {
      for (const square of squaresAlong(before && isShortStep(before, point) ? before : point, point))
        squares.add(square);
      if (before) for (const square of squaresAlong(before, before)) squares.add(square);
      before = point;
    }
    return {
      rules: this.#rules.rules ?? [],
      startTimeOf: (rule: WatchedRule) => {
        const start = this.#startTimes[rule.id];
        return start?.key === rule.key ? start.time : Number.POSITIVE_INFINITY;
      },
      zoneIndex: await this.#rules.zonesAround(squares),
      trips: this.#feed.trips.rules,
    };
  }

  #commit(range: { after: number; until: number }, pointEvents: FoundEvent[], states: [number, string][], now: number) {
    const owner = this.#owner();
    if (!owner) return;
    const rules = new Map((this.#rules.rules ?? []).map((rule) => [rule.id, rule]));
    const newEvents = pointEvents.flatMap((one): NewRuleEvent[] => {
      const rule = rules.get(one.rule_id);
      if (!rule) return [];
      const event = toHistoryEvent(one, rule, owner, this.#feed.trips.idAt(one.time));
      return [{ rule_id: rule.id, key: rule.key, pointTime: one.pointTime, fingerprint: fingerprintOf(one), event }];
    });
    this.events.replace(range, newEvents, new Map([...rules].map(([id, { key }]) => [id, key])));
    this.#states.replace(range.after, states, now, now - this.#lateMs);
    this.events.deleteBefore(now - this.#lateMs);
    this.#setPendingFrom(this.#arrivedDuringRun);
  }

  /** A rule is evaluated from the earliest point that arrived while the rule existed. */
  #noteStart(rules: WatchedRule[], time: number) {
    const startTimes = { ...this.#startTimes };
    for (const { id, key } of rules) {
      const known = startTimes[id];
      startTimes[id] = known?.key === key ? { key, time: Math.min(known.time, time) } : { key, time };
    }
    const current = Object.fromEntries(rules.flatMap(({ id }) => (startTimes[id] ? [[id, startTimes[id]]] : [])));
    if (JSON.stringify(current) === JSON.stringify(this.#startTimes)) return;
    this.#startTimes = current;
    this.#ctx.storage.kv.put("rule_start_times", current);
  }

  #setPendingFrom(time: number | null) {
    if (time === this.#pendingFrom) return;
    this.#pendingFrom = time;
    if (time === null) this.#ctx.storage.kv.delete("rules_pending_from");
    else this.#ctx.storage.kv.put("rules_pending_from", time);
  }
}

function isShortStep(one: Identity, other: Identity) {
  return (
    Math.abs(one.lat - other.lat) < 0.5 && Math.abs(one.lng - other.lng) < 2 && other.time - one.time < MAX_STRAIGHT_MS
  );
}

/** Delay after which a failed evaluation is tried again. */
const RETRY_DELAY_MS = 10_000;
/** Timed conditions are checked this long after they are due, never before. */
const DUE_DELAY_MS = 1000;
/** Half a second of CPU time. */
const MAX_STEPS_PER_TURN = 100 * STEPS_PER_SLICE;
/** Zones along a step are not loaded if the step took longer. */
const MAX_STRAIGHT_MS = 300_001;
