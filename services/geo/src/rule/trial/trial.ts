import { WorkBudget } from "#shared/background/work-budget.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { prefetchPoints } from "../../chunk/prefetch.ts";
import { type FeedRange, type PrefetchedPoints, readPlainPoints } from "../../chunk/read-points.ts";
import type { GeoEnv } from "../../env.ts";
import { feedOf } from "../../object/addresses.ts";
import type { TripRules } from "../../object/trip.ts";
import type { RuleEvent, WatchedRule, ZoneIndex } from "../../object/watched-rule.ts";
import { zoneSteps } from "../../zone/zone-steps.ts";
import { type EvaluationContext, evaluatePoint, evaluateTime } from "../evaluation/evaluate.ts";
import { STEPS_PER_POINT } from "../evaluation/point-steps.ts";
import { needsTrips } from "../evaluation/rule-kinds.ts";
import { initialState } from "../evaluation/state.ts";
import type { TrialEvent, ZoneVisit } from "./schema.ts";
import { ZoneWalk } from "./zone-walk.ts";

/** A tracker and the range of its points to search. */
export type TrackerRange = FeedRange & { tracker_id: number };
/** The zones of a trial, and the budget of comparing points with them. */
export type TrialZones = { zoneIndex: ZoneIndex; budget: WorkBudget };

/** The budget of one trial: throws 267 beyond it. */
export function trialBudget(): WorkBudget {
  return new WorkBudget({ limit: MAX_TRIAL_STEPS });
}

/** Searches the points of trackers, one tracker after the other. */
export async function* searchTrackers<Item>(
  env: GeoEnv,
  ranges: TrackerRange[],
  find: (range: TrackerRange, memory: PrefetchedPoints) => AsyncGenerator<Item[]>,
): AsyncGenerator<Item[]> {
  let next = 0;
  for await (const memory of prefetchPoints(env, ranges)) {
    const range = ranges[next++];
    if (range) yield* find(range, memory);
  }
}

/** Events that a rule would have sent on a tracker, one chunk of points at a time. Nothing is stored. */
export async function* tryEvents(
  env: GeoEnv,
  range: TrackerRange,
  memory: PrefetchedPoints,
  rule: WatchedRule,
  { zoneIndex, budget }: TrialZones,
): AsyncGenerator<TrialEvent[]> {
  const trips = needsTrips(rule.type) ? await tripRulesOf(env, range) : null;
  const context: EvaluationContext = { rules: [rule], startTimeOf: () => Number.NEGATIVE_INFINITY, zoneIndex, trips };
  const state = initialState();
  for await (const points of readPlainPoints(env, range, memory)) {
    const events: TrialEvent[] = [];
    for (const point of points) {
      const before = zoneSteps();
      for (const one of evaluatePoint(state, point, context)) events.push(toTrialEvent(range, one));
      const pause = budget.spend(STEPS_PER_POINT + zoneSteps() - before);
      if (pause) await pause;
    }
    if (events.length > 0) yield events;
  }
  yield evaluateTime(state, range.to, context).map((one) => toTrialEvent(range, one));
}

async function tripRulesOf(env: GeoEnv, { feed }: TrackerRange): Promise<TripRules> {
  return { ...(await feedOf(env, feed.tracker_id).settings()), gapMs: Number(env.TRIP_GAP_MINUTES) * MINUTE_MS };
}

/** Times that a tracker spent in any of the rule's zones. */
export async function* findVisits(
  env: GeoEnv,
  range: TrackerRange,
  memory: PrefetchedPoints,
  rule: WatchedRule,
  { zoneIndex, budget }: TrialZones,
): AsyncGenerator<ZoneVisit[]> {
  const walk = new ZoneWalk(rule, zoneIndex);
  let open: ZoneVisit | null = null;
  for await (const points of readPlainPoints(env, range, memory)) {
    const visits: ZoneVisit[] = [];
    for (const point of points) {
      const before = zoneSteps();
      const { entered, passages } = walk.addPoint(point);
      const pause = budget.spend(STEPS_PER_POINT + zoneSteps() - before);
      if (pause) await pause;
      if (entered.length > 0) open = startVisit(range, point);
      for (const { isEntry, ...passage } of passages) {
        if (isEntry) open ??= startVisit(range, passage);
        else if (open) {
          visits.push({ ...open, to: passage.time });
          open = null;
        }
      }
    }
    yield visits;
  }
  if (open) yield [open];
}

/** A page of results; reading stops as soon as it is known whether there are more. */
export async function takePage<Item>(
  pages: AsyncIterable<Item[]>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ list: Item[]; limit_exceeded: boolean }> {
  const list: Item[] = [];
  let skipped = 0;
  for await (const items of pages) {
    const remaining = items.slice(Math.max(0, Math.min(items.length, offset - skipped)));
    skipped += items.length - remaining.length;
    for (const item of remaining) {
      if (list.length === limit) return { list, limit_exceeded: true };
      list.push(item);
    }
  }
  return { list, limit_exceeded: false };
}

function startVisit({ tracker_id }: TrackerRange, { time, lat, lng }: { time: number; lat: number; lng: number }) {
  return { tracker_id, from: time, to: null, location: { lat, lng } };
}

function toTrialEvent({ tracker_id }: TrackerRange, { event, time, lat, lng, zones, value }: RuleEvent): TrialEvent {
  return {
    ...{ tracker_id, event, time, location: { lat, lng }, value },
    zone_ids: zones.map(({ id }) => id),
    zone_labels: zones.map(({ label }) => label),
  };
}

/** About ten seconds of CPU time. */
const MAX_TRIAL_STEPS = 2_000_000_000;
