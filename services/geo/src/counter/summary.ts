import type { Quantity } from "#shared/contract/point/meter.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import { metersOfStep } from "../point/measured.ts";
import type { Identity } from "../point/point.ts";

/** A measured value over time: of an attribute, a digital input or a virtual sensor. */
export type Channel = {
  time: number;
  value: number;
  /** The sum of its rises; falls are left out. */
  rise: number;
  /** The value times the hours that it lasted. */
  hours: number;
};

/** Quantities summed up over consecutive points, so that segments can be joined without their points. */
export type Summary = {
  /** The last point's time. */
  last: number;
  meters: number;
  /** The first and the last GPS point. */
  fixes: { first: Identity; last: Identity } | null;
  channels: Record<string, Channel & { first: { time: number; value: number } }>;
  marks: Marks;
};

/** Quantities at the times of some points: a column for each quantity that is not always 0. */
export type Marks = { times: number[]; columns: Record<string, number[]> };

/** The summary of no points: adding it changes no total. */
export const EMPTY_SUMMARY: Summary = {
  last: Number.NEGATIVE_INFINITY,
  meters: 0,
  fixes: null,
  channels: {},
  marks: { times: [], columns: {} },
};

/** Quantities since the tracker's first point. */
export type Total = { last: number | null; meters: number; fix: Identity | null; channels: Record<string, Channel> };

export const ZERO_TOTAL: Total = { last: null, meters: 0, fix: null, channels: {} };

/** The total after a segment that follows the given total. */
export function addSummary(total: Total, summary: Summary): Total {
  const channels = { ...total.channels };
  let free = MAX_CHANNELS - Object.keys(channels).length;
  for (const [name, { first, time, value, rise, hours }] of Object.entries(summary.channels)) {
    const before = total.channels[name];
    // Bounds the number of attributes in the total, as a device may invent names.
    if (!before && name.startsWith("a:") && free-- <= 0) continue;
    const link = linkOf(before, first);
    channels[name] = { time, value, rise: link.rise + rise, hours: link.hours + hours };
  }
  const meters = total.meters + linkMeters(total, summary) + summary.meters;
  return { last: summary.last, meters, fix: summary.fixes?.last ?? total.fix, channels };
}

export function quantityOf(total: Total, of: Quantity): number {
  if (of === "meters") return total.meters;
  const { kind, name } = parseQuantity(of);
  return total.channels[name]?.[kind] ?? 0;
}

/** The quantity at a mark of the segment that follows the total. */
export function quantityAt(total: Total, summary: Summary, mark: number, of: Quantity): number {
  const time = summary.marks.times[mark] ?? Number.NEGATIVE_INFINITY;
  const within = summary.marks.columns[of]?.[mark] ?? 0;
  if (of === "meters") {
    const first = summary.fixes?.first;
    return total.meters + (first && first.time <= time ? linkMeters(total, summary) : 0) + within;
  }
  const { kind, name } = parseQuantity(of);
  const channel = summary.channels[name];
  const before = total.channels[name];
  if (!channel || channel.first.time > time) return before?.[kind] ?? 0;
  return linkOf(before, channel.first)[kind] + within;
}

/** The index of the last mark at or before the time; -1: none. */
export function markAt({ times }: Marks, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? time) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value times hours; 0 after a longer silence, in which the device was probably off. */
export function valueHours(value: number, ms: number) {
  return ms <= MAX_SILENCE_MS ? (value * ms) / HOUR_MS : 0;
}

function linkOf(before: Channel | undefined, first: { time: number; value: number }) {
  if (!before) return { rise: 0, hours: 0 };
  return {
    rise: before.rise + Math.max(0, first.value - before.value),
    // Late points may be older than the total if older points are deleted.
    hours: before.hours + valueHours(before.value, Math.max(0, first.time - before.time)),
  };
}

function linkMeters({ fix }: Total, { fixes }: Summary) {
  return fix && fixes && fix.time <= fixes.first.time ? metersOfStep(fix, fixes.first) : 0;
}

function parseQuantity(of: Exclude<Quantity, "meters">) {
  const end = of.indexOf(" ");
  return { kind: of.slice(0, end) as "rise" | "hours", name: of.slice(end + 1) }; // by its type
}

const MAX_CHANNELS = 160;
const MAX_SILENCE_MS = 12 * HOUR_MS;
