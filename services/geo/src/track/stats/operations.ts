import * as z from "zod";
import { storedRange } from "#shared/contract/tracker/stored-range.ts";
import { requireTrackers } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { boundedByCode, dateTime } from "#shared/operation/fields.ts";
import { writeLocal } from "#shared/time/clock.ts";
import { requireSpan } from "#shared/time/span.ts";
import { feedOf } from "../../object/addresses.ts";
import { operation } from "../../operation.ts";
import { isForward, NOT_FORWARD } from "../schema.ts";
import { listDays, readDailyMileage } from "./mileage.ts";

const MAX_TRACKERS = 128;
const RANGE_INPUT = { from: dateTime(), to: dateTime() };
const Mileage = z.object({ mileage: z.number() });

export const readMileage = operation("/tracker/stats/mileage/read", {
  summary: "Kilometers of each day of up to 128 trackers; the ends of a range are counted by full hours",
  reads: true,
  expensive: true,
  input: z
    .object({ trackers: boundedByCode(z.array(z.int()), MAX_TRACKERS), ...RANGE_INPUT })
    .refine(isForward, NOT_FORWARD),
  output: z.object({
    limit_exceeded: z.boolean(),
    result: z.record(z.string(), z.record(z.string(), Mileage.nullable())),
  }),
  errors: [211, 217, 221],
  async run({ trackers, ...wanted }, { env, principal, clock }) {
    requireSpan(wanted, env.MAX_SPANS, "stats", clock.zone);
    const ids = [...new Set(trackers)];
    if (ids.length > MAX_TRACKERS) throw new ApiError(221);
    const requested = requireTrackers(await env.FLEET.trackersOf(principal, ids), ids);
    const days = listDays(wanted, clock.zone);
    const dayOf = (ms: number) => writeLocal(ms, clock.zone).slice(0, 10);
    const reads = requested.map(async ({ tracker_id, feed, store_period }) => {
      const range = storedRange(wanted, [store_period, principal.store_period], clock);
      const marks = range.from <= range.to ? await readDailyMileage(env, feed.tracker_id, range, dayOf) : new Map();
      const byDay = days.map((day) => [day, marks.has(day) ? { mileage: marks.get(day) } : null]);
      return { tracker_id, limit_exceeded: range.limit_exceeded, byDay: Object.fromEntries(byDay) };
    });
    const all = await Promise.all(reads);
    return {
      limit_exceeded: all.some(({ limit_exceeded }) => limit_exceeded),
      result: Object.fromEntries(all.map(({ tracker_id, byDay }) => [tracker_id, byDay])),
    };
  },
});

export const readEngineHours = operation("/tracker/stats/engine_hours/read", {
  summary: "The hours of a range with ignition on, by the tracker's current definition of ignition",
  reads: true,
  expensive: true,
  input: z.object({ tracker_id: z.int(), ...RANGE_INPUT }).refine(isForward, NOT_FORWARD),
  output: z.object({ value: z.number() }),
  errors: [204, 208, 211, 214, 219],
  async run({ tracker_id, ...wanted }, { env, principal, clock }) {
    requireSpan(wanted, env.MAX_SPANS, "stats", clock.zone);
    const { feed_id, source, store_period } = await env.FLEET.ignitionOf(principal, tracker_id);
    const { from, to } = storedRange(wanted, [store_period, principal.store_period], clock);
    if (from > to) return { value: 0 };
    const of = source.map((term) => term.of);
    const feed = feedOf(env, feed_id);
    const { values } = await feed.momentValues({ needed: [from, to], cuts: [], times: [], of, since: from });
    const [before, after] = [values.get(from) ?? [], values.get(to) ?? []];
    const hours = after.reduce((sum, value, index) => sum + value - (before[index] ?? 0), 0);
    return { value: Math.round(hours * 1e6) / 1e6 };
  },
});

export const operations = [readMileage, readEngineHours];
