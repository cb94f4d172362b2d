import { Temporal } from "temporal-polyfill";
import * as z from "zod";
import { storedRange } from "#shared/contract/tracker/stored-range.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { requireSpan } from "#shared/time/span.ts";
import { operation } from "../../operation.ts";
import { COUNTER_TYPES } from "../../table/telemetry/counter.ts";
import { requireOriginal, selectUsable } from "../../tracker/origin-queries.ts";
import { changeCounter, selectCounters, selectCountersOf, setCounterValue } from "./queries.ts";
import { anchorsAt } from "./source-queries.ts";
import { meterSearchFor, valuesIn } from "./value.ts";
import { readValuesNow } from "./values-now.ts";

const Type = z.enum(COUNTER_TYPES);
/** Larger factors would make values overflow to no number. */
const Factor = z.number().min(-1e12).max(1e12);

export const Counter = z.object({ id: z.int(), type: Type, multiplier: z.number() });
export const CounterValue = z.object({ type: Type, value: z.number(), update_time: dateTime() });
const COUNTER_KEY = { tracker_id: z.int(), type: Type };

export const readCounter = operation("/tracker/counter/read", {
  summary: "The multiplier of a counter",
  reads: true,
  input: z.object(COUNTER_KEY),
  output: z.object({ value: Counter }),
  errors: [204, 208, 219],
  async run({ tracker_id, type }, { db, principal }) {
    const { tracker, counters } = await selectCounters(db, principal, tracker_id, { type });
    requireOriginal([tracker], 204);
    const [counter] = counters;
    if (!counter) throw new ApiError(204);
    return { value: { id: counter.id, type: counter.type, multiplier: counter.multiplier } };
  },
});

export const updateCounter = operation("/tracker/counter/update", {
  summary: "Changes a counter's multiplier and sensor from now on; its value stays, and without sensor_id its sensor",
  right: "tracker_update",
  input: z.object({ ...COUNTER_KEY, multiplier: Factor, sensor_id: z.int().nullable().optional() }),
  output: z.object({}),
  errors: [7, 8, 204, 208, 219],
  async run(input, { db, env, principal, actor }) {
    if (typeof input.sensor_id === "number" && input.type !== "odometer")
      throw invalid("sensor_id", "must be null for this type");
    const { feed_id } = requireOriginal(await selectUsable(db, principal, [input.tracker_id]), 204);
    const anchors = anchorsAt(principal.account_id, await env.GEO.pinMeters([feed_id]));
    await changeCounter(db, principal, input, anchors, actor);
    return {};
  },
});

export const getCounters = operation("/tracker/get_counters", {
  summary: "The values of a tracker's counters",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({
    user_time: dateTime(),
    list: z.array(CounterValue),
  }),
  errors: [204, 208],
  async run({ tracker_id }, { db, env, principal, clock }) {
    const { tracker, counters } = await selectCounters(db, principal, tracker_id);
    const [list = []] = await readValuesNow(env, [{ feed_id: tracker.feed_id, counters }]);
    return { user_time: clock.now(), list };
  },
});

export const getValue = operation("/tracker/counter/value/get", {
  summary: "The value of a counter in kilometers, hours or liters",
  reads: true,
  input: z.object(COUNTER_KEY),
  output: z.object({ value: z.number() }),
  errors: [204, 208],
  async run({ tracker_id, type }, { db, env, principal }) {
    const { tracker, counters } = await selectCounters(db, principal, tracker_id, { type });
    const [[current] = []] = await readValuesNow(env, [{ feed_id: tracker.feed_id, counters }]);
    if (!current) throw new ApiError(204);
    return { value: current.value };
  },
});

export const listValues = operation("/tracker/counter/value/list", {
  summary: "The values of the counters of one type, of up to 2,000 trackers; counters without a value are left out",
  reads: true,
  input: z.object({ trackers: z.array(z.int()).max(2000), type: Type }),
  output: z.object({ value: z.record(z.string(), z.number()) }),
  errors: [204, 217],
  async run({ trackers, type }, { db, env, principal }) {
    const found = await selectCountersOf(db, principal, [...new Set(trackers)], type);
    const feeds = found.map(({ tracker, counters }) => ({ feed_id: tracker.feed_id, counters }));
    const values = await readValuesNow(env, feeds);
    const entries = found.flatMap(({ tracker }, index) => {
      const [current] = values[index] ?? [];
      return current ? [[tracker.tracker_id, current.value]] : [];
    });
    return { value: Object.fromEntries(entries) };
  },
});

export const setCounter = operation("/tracker/counter/value/set", {
  summary: "Sets the value of a counter, which continues from there with the tracker's next data",
  right: "tracker_update",
  input: z.object({ ...COUNTER_KEY, value: Factor }),
  output: z.object({}),
  errors: [8, 204, 208, 219],
  async run(input, { db, env, principal, actor }) {
    const { feed_id } = requireOriginal(await selectUsable(db, principal, [input.tracker_id]), 204);
    const anchors = anchorsAt(principal.account_id, await env.GEO.pinMeters([feed_id]));
    await setCounterValue(db, principal, input, anchors, actor);
    return {};
  },
});

export const readCounterData = operation("/tracker/counter/data/read", {
  summary: "The history of a counter: at most one value an hour, and each set value at the time when it was set",
  reads: true,
  expensive: true,
  input: z
    .object({ ...COUNTER_KEY, from: dateTime(), to: dateTime() })
    .refine(({ from, to }) => from <= to, { error: "must not be before from", path: ["to"] }),
  output: z.object({ list: z.array(z.object({ value: z.number(), update_time: dateTime() })) }),
  errors: [7, 204, 208, 211],
  async run({ tracker_id, type, from, to }, { db, env, principal, clock }) {
    // In days of the caller's zone, where a day may have 25 hours.
    const latest = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(clock.zone).add({ days: MAX_DAYS });
    if (to > latest.epochMilliseconds) throw invalid("to", `must be at most ${MAX_DAYS} days after from`);
    requireSpan({ from, to }, env.MAX_SPANS, "counters", clock.zone);
    const { tracker, counters } = await selectCounters(db, principal, tracker_id, { type, until: from });
    const [counter] = counters;
    if (!counter) throw new ApiError(204);
    const range = storedRange({ from, to }, [tracker.store_period, principal.store_period], clock);
    if (range.from > range.to) return { list: [] };
    const search = meterSearchFor([counter]);
    const { of, since } = search;
    const [metered, marks] = await Promise.all([
      env.GEO.meterValues([[tracker.feed_id, search]]),
      env.GEO.meterMarks(tracker.feed_id, { from: range.from, to: range.to, of, since }),
    ]);
    const meters = metered[tracker.feed_id];
    return { list: meters ? valuesIn(range, counter, search, meters, marks) : [] };
  },
});

export const operations = [readCounter, updateCounter, getCounters, getValue, listValues, setCounter, readCounterData];

const MAX_DAYS = 31;
