import { zoneOffsetMs } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { Writer } from "./writer.ts";

/** A drawing for files that can show one, with its texts written for the reader. */
export type Chart = LineChart | BarChart;
export type LineChart = {
  kind: "line";
  title: string;
  /** `across` goes from left to right, `up` from bottom to top. */
  across: Axis;
  up: Axis;
  points: [x: number, y: number][];
};
export type Axis = { min: number; max: number; marks: { at: number; text: string }[] };
/** `share` is relative to the longest bar. */
export type BarChart = { kind: "bars"; title: string; bars: { name: string; text: string; share: number }[] };

/** Collects the values of a line; of many, only the lowest and highest of each four are kept. */
export class Trace {
  #points: [x: number, y: number][] = [];

  add(x: number, y: number) {
    this.#points.push([x, y]);
    if (this.#points.length === 2 * MAX_POINTS) this.#points = thinOut(this.#points);
  }

  points(): [x: number, y: number][] {
    return this.#points;
  }
}

type LineSource = { title: string; trace: Trace; axis: "time" | "mileage"; isSmooth: boolean };

/** A line over time, or over distance in the reader's unit; empty with fewer than two values. */
export function createLineChart({ title, trace, axis, isSmooth }: LineSource, writer: Writer): LineChart[] {
  const points = isSmooth ? smooth(trace.points()) : trace.points();
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first[0] >= last[0]) return [];
  const heights = points.map(([, y]) => y);
  const [low, high] = [findLeast(heights), -findLeast(heights.map((y) => -y))];
  const marks = axis === "time" ? timeMarks(first[0], last[0], writer) : numberMarks(first[0], last[0], writer);
  // A constant line lies in the middle.
  const margin = low === high ? 1 : 0;
  const up = { min: low - margin, max: high + margin, marks: numberMarks(low - margin, high + margin, writer) };
  return [{ kind: "line", title, across: { min: first[0], max: last[0], marks }, up, points: points.map(roundPoint) }];
}

/** The longest bars first; empty without positive values. */
export function createBarChart(title: string, values: { name: string; text: string; value: number }[]): BarChart[] {
  const longest = values.toSorted((one, other) => other.value - one.value).slice(0, MAX_BARS);
  const greatest = longest[0]?.value ?? 0;
  if (greatest <= 0) return [];
  const bars = longest.map(({ name, text, value }) => ({ name, text, share: value / greatest }));
  return [{ kind: "bars", title, bars }];
}

/** Keeps the lowest and the highest of each four points, in their order. */
function thinOut(points: [number, number][]): [number, number][] {
  const extremes: [number, number][] = [];
  for (let start = 0; start < points.length; start += 4) {
    const four = points.slice(start, start + 4).toSorted(([, one], [, other]) => one - other);
    const [low, high] = [four[0], four.at(-1)];
    if (low && high) extremes.push(...(low[0] <= high[0] ? [low, high] : [high, low]));
  }
  return extremes;
}

/** Replaces each value by the mean of its neighbours. */
function smooth(points: [number, number][]): [number, number][] {
  return points.map(([x], index) => {
    const around = points.slice(Math.max(0, index - SMOOTHING_REACH), index + SMOOTHING_REACH + 1);
    return [x, around.reduce((sum, [, y]) => sum + y, 0) / around.length];
  });
}

function timeMarks(from: number, to: number, writer: Writer) {
  const step =
    STEPS.find((ms) => (to - from) / ms <= MAX_MARKS) ?? Math.ceil((to - from) / MAX_MARKS / DAY_MS) * DAY_MS;
  const offset = zoneOffsetMs(from, writer.zone);
  return steps(from + offset, to + offset, step).map((local) => {
    const at = local - offset;
    return { at, text: step < DAY_MS ? writer.moment(at).v : writer.day(at).v };
  });
}

/** Marks at multiples of 1, 2 or 5 times a power of ten. */
function numberMarks(from: number, to: number, writer: Writer) {
  const rough = (to - from) / MAX_MARKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((times) => power * times >= rough) ?? 10);
  return steps(from, to, step).map((at) => ({ at, text: writer.number(at).v }));
}

function steps(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

function findLeast(values: number[]) {
  return values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
}

function roundPoint([x, y]: [number, number]): [number, number] {
  return [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000];
}

/** Twice as many are collected before they are thinned out. */
const MAX_POINTS = 1000;
const MAX_BARS = 30;
const MAX_MARKS = 8;
/** Values on each side that a smoothed value is the mean of. */
const SMOOTHING_REACH = 4;
const STEPS = [
  ...[5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 5, 7, 14].map((days) => days * DAY_MS),
];
