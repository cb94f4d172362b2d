import type { MeterMarks, MeterSearch, MeterValues, Quantity, Term } from "#shared/contract/point/meter.ts";
import type { CounterRow } from "../../table/telemetry/counter.ts";

/** A section of a counter: its source from `from_time` on, and the value it was set to then. */
export type Segment = {
  from_time: number;
  multiplier: number;
  source: Term[];
  value: number | null;
  set_time: number | null;
};
/** A counter with its segments in time order, since its last set value. */
export type SegmentedCounter = Pick<CounterRow, "id" | "type" | "multiplier" | "tracker_id"> & { segments: Segment[] };
export type CounterValue = { type: CounterRow["type"]; value: number; update_time: number };

/** The measurements that geo must make for these counters: their quantities at the begin of each segment and now. */
export function meterSearchFor(counters: SegmentedCounter[]): MeterSearch {
  const segments = counters.flatMap((counter) => counter.segments);
  return {
    times: [...new Set(segments.map(({ from_time }) => from_time)), NOW],
    of: [...new Set(segments.flatMap(({ source }) => source.map((term) => term.of)))],
    since: sinceOf(segments),
  };
}

/** The current value; null when the counter never counted and was never set. */
export function valueNow(counter: SegmentedCounter, search: MeterSearch, metered: MeterValues): CounterValue | null {
  const { segments, type } = counter;
  const set_time = segments.findLast(({ value }) => value !== null)?.set_time ?? null;
  const isCounting = metered.last !== null && segments.some(({ source }) => source.length > 0);
  if (!isCounting && set_time === null) return null;
  const raw = (time: number, of: Quantity) => rawOf(search, metered, time, of);
  const update_time = Math.max(metered.last ?? 0, set_time ?? 0);
  return { type, value: valueAt(segments, NOW, raw), update_time };
}

/**
 * The values at the marks, and the values set within the range. A set value appears at the moment when it was set and
 * does not change earlier values. Marks from before the counter's first segment are left out.
 */
export function valuesIn(
  { from, to }: { from: number; to: number },
  counter: SegmentedCounter,
  search: MeterSearch,
  metered: MeterValues,
  marks: MeterMarks,
) {
  const { segments } = counter;
  const counted = marks.times.flatMap((time, index) => {
    const then = segments.filter(({ set_time }) => set_time === null || set_time <= time);
    if (then.length === 0) return [];
    const mark = { time, values: marks.values[index] ?? [] };
    return [{ value: valueAtMoment({ ...counter, segments: then }, search, metered, mark), update_time: time }];
  });
  const set = segments.flatMap(({ value, set_time }) =>
    value !== null && set_time !== null && set_time >= from && set_time <= to ? [{ value, update_time: set_time }] : [],
  );
  return [...counted, ...set].toSorted((one, other) => one.update_time - other.update_time);
}

/** The value at a moment, from the values that its quantities had at that moment. */
export function valueAtMoment(
  { segments }: SegmentedCounter,
  search: MeterSearch,
  metered: MeterValues,
  { time, values }: { time: number; values: number[] },
): number {
  const raw = (moment: number, of: Quantity) =>
    moment === time ? (values[search.of.indexOf(of)] ?? 0) : rawOf(search, metered, moment, of);
  return valueAt(segments, time, raw);
}

/** The value at `time`: the last set value, or 0, plus what was counted since. */
export function valueAt(segments: Segment[], time: number, raw: (time: number, of: Quantity) => number): number {
  const segmentsSoFar = segments.filter(({ from_time }) => from_time <= time);
  const start = segmentsSoFar.findLastIndex(({ value }) => value !== null);
  let value = segmentsSoFar[start]?.value ?? 0;
  for (let index = Math.max(0, start); index < segmentsSoFar.length; index++) {
    const segment = segmentsSoFar[index];
    if (!segment) break;
    const end = segmentsSoFar[index + 1]?.from_time ?? time;
    for (const { of, times } of segment.source) {
      value += segment.multiplier * times * (raw(end, of) - raw(segment.from_time, of));
    }
  }
  // Rounded to millimeters, milliliters and thousandths of a second.
  return Math.round(value * 1e6) / 1e6;
}

function rawOf({ times, of }: MeterSearch, { values }: MeterValues, time: number, quantity: Quantity): number {
  return values[times.indexOf(time)]?.[of.indexOf(quantity)] ?? 0;
}

/** Since when geo must evaluate virtual sensors: the begin of the first segment that counts by one. */
function sinceOf(segments: Segment[]) {
  const times = segments.flatMap(({ source, from_time }) =>
    source.some(({ of }) => of.startsWith("hours v:")) ? from_time : [],
  );
  return Math.min(NOW, ...times);
}

/** Later than every point. */
const NOW = Number.MAX_SAFE_INTEGER;
