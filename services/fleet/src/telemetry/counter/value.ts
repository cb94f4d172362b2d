import type { Metered, MeterMarks, MeterSearch, Quantity, Term } from "#shared/contract/meter.ts";
import type { CounterRow } from "../../table/telemetry/counter.ts";

/** By what a counter counts from a moment on, and what it was set to then. */
export type Segment = {
  from_time: number;
  multiplier: number;
  source: Term[];
  value: number | null;
  set_time: number | null;
};
/** A counter with its segments in their order, as far back as they matter. */
export type SegmentedCounter = Pick<CounterRow, "id" | "type" | "multiplier" | "tracker_id"> & { segments: Segment[] };
export type CounterValue = { type: CounterRow["type"]; value: number; update_time: number };

/** What the points must be asked for: the present and each moment from which something is counted. */
export function meterSearchFor(counters: SegmentedCounter[]): MeterSearch {
  const segments = counters.flatMap((counter) => counter.segments);
  return {
    times: [...new Set(segments.map(({ from_time }) => from_time)), NOW],
    of: [...new Set(segments.flatMap(({ source }) => source.map((term) => term.of)))],
    since: sinceOf(segments),
  };
}

/** The value of now; null where nothing was ever counted or set. */
export function valueNow(counter: SegmentedCounter, search: MeterSearch, metered: Metered): CounterValue | null {
  const { segments, type } = counter;
  const set_time = segments.findLast(({ value }) => value !== null)?.set_time ?? null;
  const isCounting = metered.last !== null && segments.some(({ source }) => source.length > 0);
  if (!isCounting && set_time === null) return null;
  const raw = (time: number, of: Quantity) => rawOf(search, metered, time, of);
  const update_time = Math.max(metered.last ?? 0, set_time ?? 0);
  return { type, value: valueAt(segments, NOW, raw), update_time };
}

/**
 * What was counted at each mark, and what was set within the range. A set value stands at the moment when it was set: the
 * past before it stays as it was counted. Marks before the counter is known are left out.
 */
export function valuesIn(
  { from, to }: { from: number; to: number },
  counter: SegmentedCounter,
  search: MeterSearch,
  metered: Metered,
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

/** At a moment whose quantities are known besides. */
export function valueAtMoment(
  { segments }: SegmentedCounter,
  search: MeterSearch,
  metered: Metered,
  { time, values }: { time: number; values: number[] },
): number {
  const raw = (moment: number, of: Quantity) =>
    moment === time ? (values[search.of.indexOf(of)] ?? 0) : rawOf(search, metered, moment, of);
  return valueAt(segments, time, raw);
}

/** Set values stand as they are; from there on, and from the first point where there is none, it is counted. */
export function valueAt(segments: Segment[], time: number, raw: (time: number, of: Quantity) => number): number {
  const begun = segments.filter(({ from_time }) => from_time <= time);
  const start = begun.findLastIndex(({ value }) => value !== null);
  let value = begun[start]?.value ?? 0;
  for (let index = Math.max(0, start); index < begun.length; index++) {
    const segment = begun[index];
    if (!segment) break;
    const end = begun[index + 1]?.from_time ?? time;
    for (const { of, times } of segment.source) {
      value += segment.multiplier * times * (raw(end, of) - raw(segment.from_time, of));
    }
  }
  // Millimeters, milliliters, thousandths of a second.
  return Math.round(value * 1e6) / 1e6;
}

function rawOf({ times, of }: MeterSearch, { values }: Metered, time: number, quantity: Quantity): number {
  return values[times.indexOf(time)]?.[of.indexOf(quantity)] ?? 0;
}

/** Virtual sensors are followed from when on a counter counts by them. */
function sinceOf(segments: Segment[]) {
  const times = segments.flatMap(({ source, from_time }) =>
    source.some(({ of }) => of.startsWith("hours v:")) ? from_time : [],
  );
  return Math.min(NOW, ...times);
}

/** Behind every point. */
const NOW = Number.MAX_SAFE_INTEGER;
