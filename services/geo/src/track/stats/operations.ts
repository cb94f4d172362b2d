import { z } from "zod";
import { storedRange } from "#shared/contract/stored-range.ts";
import { requireTrackers } from "#shared/contract/visible-tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { boundedByCode, dateTime } from "#shared/operation/fields.ts";
import { writeLocal } from "#shared/time/clock.ts";
import { requireSpan } from "#shared/time/span.ts";
import { feedOf } from "../../object/addresses.ts";
import { operation } from "../../operation.ts";
import { BACKWARD, goesForward } from "../schema.ts";
import { daysOf, mileageOf } from "./mileage.ts";

const MOST_TRACKERS = 128;
const RANGE = { from: dateTime(), to: dateTime() };
const Mileage = z.object({ mileage: z.number() });

export const readMileage = operation("/tracker/stats/mileage/read", {
  summary: "Kilometers of each day of up to 128 trackers; the ends of a range count by full hours",
  reads: true,
  input: z.object({ trackers: boundedByCode(z.array(z.int()), MOST_TRACKERS), ...RANGE }).refine(goesForward, BACKWARD),
  output: z.object({
    limit_exceeded: z.boolean(),
    result: z.record(z.string(), z.record(z.string(), Mileage.nullable())),
  }),
  errors: [211, 217, 221],
  async run({ trackers, ...wanted }, { env, principal, clock }) {
    requireSpan(wanted, env.MAX_SPANS, "stats", clock.zone);
    const ids = [...new Set(trackers)];
    if (ids.length > MOST_TRACKERS) throw new ApiError(221);
    const found = requireTrackers(await env.FLEET.trackersOf(principal, ids), ids);
    const days = daysOf(wanted, clock.zone);
    const dayOf = (ms: number) => writeLocal(ms, clock.zone).slice(0, 10);
    const asked = found.map(async ({ tracker_id, feed, store_period }) => {
      const range = storedRange(wanted, [store_period, principal.store_period], clock);
      const marks = range.from <= range.to ? await mileageOf(env, feed.tracker_id, range, dayOf) : new Map();
      const shown = days.map((day) => [day, marks.has(day) ? { mileage: marks.get(day) } : null]);
      return { tracker_id, limit_exceeded: range.limit_exceeded, shown: Object.fromEntries(shown) };
    });
    const all = await Promise.all(asked);
    return {
      limit_exceeded: all.some(({ limit_exceeded }) => limit_exceeded),
      result: Object.fromEntries(all.map(({ tracker_id, shown }) => [tracker_id, shown])),
    };
  },
});

export const readEngineHours = operation("/tracker/stats/engine_hours/read", {
  summary: "For how many hours of a range a tracker's ignition was on, as it is defined now",
  reads: true,
  input: z.object({ tracker_id: z.int(), ...RANGE }).refine(goesForward, BACKWARD),
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
