import { z } from "zod";
import { storedRange } from "#shared/contract/stored-range.ts";
import { requireTrackers, type VisibleTracker } from "#shared/contract/visible-tracker.ts";
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
import { fitting, NewRule } from "../schema.ts";
import { BACKWARD, goesForward, RANGE, TrialEvent, ZoneVisit } from "./schema.ts";
import { foundIn, pageOf, type TrackerStretch, triedEvents, visitsOf } from "./trial.ts";
import { TRIED, ZonesOfRule } from "./zones-of-rule.ts";
import { MOST_ZONES, requireFigures } from "./zones-queries.ts";

const TrialRule = NewRule.extend({ zone_ids: z.array(z.int()).max(MOST_ZONES).default([]) });

export const tryRule = operation("/tracker/rule/try", {
  summary: "The events that a rule would have made of stored points; nothing is stored, and nobody is told",
  reads: true,
  input: z.object({ rule: TrialRule, ...RANGE }).refine(goesForward, BACKWARD),
  output: z.object({ list: z.array(TrialEvent), limit_exceeded: z.boolean() }),
  errors: [204, 211, 217],
  async run({ rule, trackers: ids, ...range }, call) {
    const { db, env, principal } = call;
    const whole = fitting(rule);
    requireRange(range, call);
    const sensors = [...new Set(ids.flatMap((id) => sensorIdsOf(whole, id)))];
    const [trackers, figures, gauges] = await together(
      usableTrackers(ids, call),
      requireFigures(db, principal, whole.zone_ids),
      sensors.length > 0 ? env.FLEET.gaugesIn(principal.account_id, sensors) : Promise.resolve({}),
    );
    const zones = new ZonesOfRule(figures);
    const time_zone = principal.account_time_zone;
    const events = foundIn(env, storedOf(trackers, range, call), (stretch, memory) => {
      const watched = watchedRule(whole, stretch.tracker_id, { time_zone, gauges });
      return triedEvents(env, stretch, memory, watched, zones);
    });
    return pageOf(events, range);
  },
});

/** A zone that is only drawn. */
const Figure = NewZone.pick({ type: true, radius: true, center: true, points: true, holes: true });

export const listZoneVisits = operation("/zone/visit/list", {
  summary: "Which trackers were in a zone and when; the zone need not be stored",
  reads: true,
  input: z.object({ zone_id: z.int().optional(), zone: Figure.optional(), ...RANGE }).refine(goesForward, BACKWARD),
  output: z.object({ list: z.array(ZoneVisit), limit_exceeded: z.boolean() }),
  errors: [202, 204, 211, 217, 230, 284],
  async run({ zone_id, zone, trackers: ids, ...range }, call) {
    const { db, env, principal } = call;
    if ((zone_id === undefined) === (zone === undefined))
      throw invalid("zone_id", "give exactly one of zone_id and zone");
    requireRange(range, call);
    const drawn = zone && { ...shapeOf(zone, true), id: 0, label: "", type: zone.type, radius: zone.radius };
    const [trackers, figures] = await together(
      usableTrackers(ids, call),
      requireFigures(db, principal, zone_id === undefined ? [] : [zone_id]),
      Promise.resolve(),
    );
    const zones = new ZonesOfRule(drawn ? [drawn] : figures);
    const watched = watchedRule({ ...NEUTRAL, type: "inoutzone" }, 0, { time_zone: "UTC", gauges: {} });
    const visits = foundIn(env, storedOf(trackers, range, call), (stretch, memory) =>
      visitsOf(env, stretch, memory, watched, zones),
    );
    return pageOf(visits, range);
  },
});

type Watchable = Pick<z.output<typeof TrialRule>, "type" | "param" | "zone_ids" | "schedule" | "extended_params">;
const NEUTRAL = { param: 0, zone_ids: [0], schedule: [], extended_params: {} };

/** The rule as the feed of the tracker would follow it. */
function watchedRule(
  rule: Watchable,
  tracker_id: number,
  { time_zone, gauges }: { time_zone: string; gauges: Record<number, TrackerGauge> },
): WatchedRule {
  const { type, param, zone_ids, schedule } = rule;
  return {
    ...{ id: TRIED, type, param, key: "", time_zone, isZoned: zone_ids.length > 0 },
    ...resolveForTracker(rule, tracker_id, gauges),
    schedule: schedule.map((interval) => ({ ...interval, interval_id: 0 })),
  };
}

/** Side by side; of several that fail the first is thrown, so that the same call gets the same answer. */
async function together<A, B, C>(...asked: [Promise<A>, Promise<B>, Promise<C>]): Promise<[A, B, C]> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

/** In the order of the ids. */
async function usableTrackers(given: number[], { env, principal }: Call<GeoEnv>): Promise<VisibleTracker[]> {
  const ids = [...new Set(given)];
  const found = requireTrackers(await env.FLEET.trackersOf(principal, ids), ids);
  return ids.flatMap((id) => found.find(({ tracker_id }) => tracker_id === id) ?? []);
}

function requireRange(range: { from: number; to: number }, { env, clock }: Call<GeoEnv>) {
  requireSpan(range, env.MAX_SPANS, "stats", clock.zone);
}

/** What of the range may be shown of each tracker. */
function storedOf(
  trackers: VisibleTracker[],
  range: { from: number; to: number },
  { principal, clock }: Call<GeoEnv>,
): TrackerStretch[] {
  return trackers.flatMap(({ tracker_id, feed, store_period }) => {
    const { from } = storedRange(range, [store_period, principal.store_period], clock);
    return from > range.to ? [] : [{ tracker_id, feed, from, to: range.to }];
  });
}

export const operations = [tryRule, listZoneVisits];
