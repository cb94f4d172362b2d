import { MINUTE_MS } from "#shared/time/duration.ts";
import { prefetchPoints } from "../../chunk/prefetch.ts";
import { type FeedRange, type PrefetchedPoints, readPlainPoints } from "../../chunk/read-points.ts";
import type { GeoEnv } from "../../env.ts";
import { feedOf } from "../../object/addresses.ts";
import type { TripRules } from "../../object/trip.ts";
import type { RuleEvent, Surroundings, WatchedRule } from "../../object/watched-rule.ts";
import { type Following, follow, wait } from "../evaluation/evaluate.ts";
import { needsTrips } from "../evaluation/kinds.ts";
import { hasMoved, passagesOf, presentIn } from "../evaluation/presence.ts";
import { evaluationStart, ruleStart } from "../evaluation/state.ts";
import type { TrialEvent, ZoneVisit } from "./schema.ts";

/** A tracker, and what of its points is looked through. */
export type TrackerStretch = FeedRange & { tracker_id: number };

/** What is found in the points of trackers, one tracker after the other. */
export async function* foundIn<Item>(
  env: GeoEnv,
  stretches: TrackerStretch[],
  find: (stretch: TrackerStretch, memory: PrefetchedPoints) => AsyncGenerator<Item[]>,
): AsyncGenerator<Item[]> {
  let next = 0;
  for await (const memory of prefetchPoints(env, stretches)) {
    const stretch = stretches[next++];
    if (stretch) yield* find(stretch, memory);
  }
}

/** What a rule would have found on a tracker, a chunk of points at a time. Nothing of it is stored. */
export async function* triedEvents(
  env: GeoEnv,
  stretch: TrackerStretch,
  memory: PrefetchedPoints,
  rule: WatchedRule,
  surroundings: Surroundings,
): AsyncGenerator<TrialEvent[]> {
  const trips = needsTrips(rule.type) ? await tripRulesOf(env, stretch) : null;
  const following: Following = { rules: [rule], since: () => Number.NEGATIVE_INFINITY, surroundings, trips };
  const state = evaluationStart();
  for await (const points of readPlainPoints(env, stretch, memory)) {
    const tried: TrialEvent[] = [];
    for (const point of points) for (const one of follow(state, point, following)) tried.push(toTried(stretch, one));
    if (tried.length > 0) yield tried;
  }
  yield wait(state, stretch.to, following).map((one) => toTried(stretch, one));
}

async function tripRulesOf(env: GeoEnv, { feed }: TrackerStretch): Promise<TripRules> {
  return { ...(await feedOf(env, feed.tracker_id).settings()), gapMs: Number(env.TRIP_GAP_MINUTES) * MINUTE_MS };
}

/** When a tracker was in any of the zones. */
export async function* visitsOf(
  env: GeoEnv,
  stretch: TrackerStretch,
  memory: PrefetchedPoints,
  rule: WatchedRule,
  surroundings: Surroundings,
): AsyncGenerator<ZoneVisit[]> {
  const [state, known] = [evaluationStart(), ruleStart("")];
  let open: ZoneVisit | null = null;
  for await (const points of readPlainPoints(env, stretch, memory)) {
    const visits: ZoneVisit[] = [];
    for (const point of points) {
      if (!state.last) {
        known.zones = presentIn(rule, point, surroundings);
        if (Object.keys(known.zones).length > 0) open = visitFrom(stretch, point);
      }
      const moved = hasMoved(state, point);
      for (const { enters, ...passage } of passagesOf(rule, known, { state, point, moved, surroundings })) {
        if (enters) open ??= visitFrom(stretch, passage);
        else if (open) {
          visits.push({ ...open, to: passage.time });
          open = null;
        }
      }
      if (moved || !state.stay) state.stay = { lat: point.lat, lng: point.lng };
      const { time, lat, lng, precision, gsm_lbs } = point;
      state.last = { time, lat, lng, precision, gsm_lbs, speed: 0 };
    }
    yield visits;
  }
  if (open) yield [open];
}

/** A page of what is found; read on no further than it takes to know whether there is more. */
export async function pageOf<Item>(
  found: AsyncIterable<Item[]>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ list: Item[]; limit_exceeded: boolean }> {
  const list: Item[] = [];
  let passed = 0;
  for await (const items of found) {
    const fresh = items.slice(Math.max(0, Math.min(items.length, offset - passed)));
    passed += items.length - fresh.length;
    for (const item of fresh) {
      if (list.length === limit) return { list, limit_exceeded: true };
      list.push(item);
    }
  }
  return { list, limit_exceeded: false };
}

function visitFrom({ tracker_id }: TrackerStretch, { time, lat, lng }: { time: number; lat: number; lng: number }) {
  return { tracker_id, from: time, to: null, location: { lat, lng } };
}

function toTried({ tracker_id }: TrackerStretch, { event, time, lat, lng, zones, value }: RuleEvent): TrialEvent {
  return {
    ...{ tracker_id, event, time, location: { lat, lng }, value },
    zone_ids: zones.map(({ id }) => id),
    zone_labels: zones.map(({ label }) => label),
  };
}
