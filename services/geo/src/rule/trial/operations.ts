import * as z from "zod";
import { storedRange } from "#shared/contract/tracker/stored-range.ts";
import { requireTrackers, type VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { TrackerGauge } from "#shared/telemetry/sensor.ts";
import { requireSpan } from "#shared/time/span.ts";
import type { GeoEnv } from "../../env.ts";
import type { WatchedRule } from "../../object/watched-rule.ts";
import { operation } from "../../operation.ts";
import { NewZone } from "../../zone/schema.ts";
import { shapeOf } from "../../zone/shape.ts";
import { resolveForTracker, sensorIdsOf } from "../copy/copied-rule.ts";
import { fitToType, NewRule } from "../schema.ts";
import { RuleZoneIndex, TRIAL_RULE_ID } from "./rule-zone-index.ts";
import { isForward, NOT_FORWARD, TRIAL_INPUT, TrialEvent, ZoneVisit } from "./schema.ts";
import { findVisits, searchTrackers, type TrackerRange, takePage, trialBudget, tryEvents } from "./trial.ts";
import { MAX_ZONES, requireZoneShapes } from "./zones-queries.ts";

const TrialRule = NewRule.extend({ zone_ids: z.array(z.int()).max(MAX_ZONES).default([]) });

export const tryRule = operation("/tracker/rule/try", {
  summary: "The events that a rule would have made of stored points; nothing is stored or sent",
  reads: true,
  expensive: true,
  input: z.object({ rule: TrialRule, ...TRIAL_INPUT }).refine(isForward, NOT_FORWARD),
  output: z.object({ list: z.array(TrialEvent), limit_exceeded: z.boolean() }),
  errors: [204, 211, 217, 267],
  async run({ rule, trackers: ids, ...range }, call) {
    const { db, env, principal } = call;
    const whole = fitToType(rule);
    requireRange(range, call);
    const sensors = [...new Set(ids.flatMap((id) => sensorIdsOf(whole, id)))];
    const [trackers, shapes, gauges] = await awaitTogether(
      requireUsableTrackers(ids, call),
      requireZoneShapes(db, principal, whole.zone_ids),
      sensors.length > 0 ? env.FLEET.gaugesIn(principal.account_id, sensors) : Promise.resolve({}),
    );
    const zones = { zoneIndex: new RuleZoneIndex(shapes), budget: trialBudget() };
    const time_zone = principal.account_time_zone;
    const events = searchTrackers(env, storedRanges(trackers, range, call), (tracker, memory) => {
      const watched = toWatchedRule(whole, tracker.tracker_id, { time_zone, gauges });
      return tryEvents(env, tracker, memory, watched, zones);
    });
    return takePage(events, range);
  },
});

/** A zone that is not stored. */
const ZoneDrawing = NewZone.pick({ type: true, radius: true, center: true, points: true, holes: true });

export const listZoneVisits = operation("/zone/visit/list", {
  summary: "Which trackers were in a zone and when; the zone need not be stored",
  reads: true,
  expensive: true,
  input: z
    .object({ zone_id: z.int().optional(), zone: ZoneDrawing.optional(), ...TRIAL_INPUT })
    .refine(isForward, NOT_FORWARD),
  output: z.object({ list: z.array(ZoneVisit), limit_exceeded: z.boolean() }),
  errors: [202, 204, 211, 217, 230, 267, 284],
  async run({ zone_id, zone, trackers: ids, ...range }, call) {
    const { db, env, principal } = call;
    if ((zone_id === undefined) === (zone === undefined))
      throw invalid("zone_id", "give exactly one of zone_id and zone");
    requireRange(range, call);
    const drawn = zone && { ...shapeOf(zone, true), id: 0, label: "", type: zone.type, radius: zone.radius };
    const [trackers, shapes] = await awaitTogether(
      requireUsableTrackers(ids, call),
      requireZoneShapes(db, principal, zone_id === undefined ? [] : [zone_id]),
      Promise.resolve(),
    );
    const zones = { zoneIndex: new RuleZoneIndex(drawn ? [drawn] : shapes), budget: trialBudget() };
    const watched = toWatchedRule({ ...NEUTRAL_RULE, type: "inoutzone" }, 0, { time_zone: "UTC", gauges: {} });
    const visits = searchTrackers(env, storedRanges(trackers, range, call), (tracker, memory) =>
      findVisits(env, tracker, memory, watched, zones),
    );
    return takePage(visits, range);
  },
});

type TrialRuleInput = Pick<z.output<typeof TrialRule>, "type" | "param" | "zone_ids" | "schedule" | "extended_params">;
const NEUTRAL_RULE = { param: 0, zone_ids: [0], schedule: [], extended_params: {} };

/** The rule as the tracker's feed would evaluate it. */
function toWatchedRule(
  rule: TrialRuleInput,
  tracker_id: number,
  { time_zone, gauges }: { time_zone: string; gauges: Record<number, TrackerGauge> },
): WatchedRule {
  const { type, param, zone_ids, schedule } = rule;
  return {
    ...{ id: TRIAL_RULE_ID, type, param, key: "", time_zone, isZoned: zone_ids.length > 0 },
    ...resolveForTracker(rule, tracker_id, gauges),
    schedule: schedule.map((interval) => ({ ...interval, interval_id: 0 })),
  };
}

/** Awaits all promises; throws the first failure in their order, so that equal calls get equal errors. */
async function awaitTogether<A, B, C>(...asked: [Promise<A>, Promise<B>, Promise<C>]): Promise<[A, B, C]> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

/** The trackers in the order of the ids; throws unless the caller may use all of them. */
async function requireUsableTrackers(given: number[], { env, principal }: Call<GeoEnv>): Promise<VisibleTracker[]> {
  const ids = [...new Set(given)];
  const visible = requireTrackers(await env.FLEET.trackersOf(principal, ids), ids);
  return ids.flatMap((id) => visible.find(({ tracker_id }) => tracker_id === id) ?? []);
}

function requireRange(range: { from: number; to: number }, { env, clock }: Call<GeoEnv>) {
  requireSpan(range, env.MAX_SPANS, "stats", clock.zone);
}

/** The part of the range that the caller may see of each tracker. */
function storedRanges(
  trackers: VisibleTracker[],
  range: { from: number; to: number },
  { principal, clock }: Call<GeoEnv>,
): TrackerRange[] {
  return trackers.flatMap(({ tracker_id, feed, store_period }) => {
    const { from } = storedRange(range, [store_period, principal.store_period], clock);
    return from > range.to ? [] : [{ tracker_id, feed, from, to: range.to }];
  });
}

export const operations = [tryRule, listZoneVisits];
