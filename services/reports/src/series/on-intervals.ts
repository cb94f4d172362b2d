import type { ReportTrip } from "#shared/contract/report-source.ts";
import type { Position } from "#shared/geometry/position.ts";
import type { TrackerData, TrackPoint } from "../definition/tracker-data.ts";
import type { Source } from "../layout/sheet.ts";
import { sourceOf } from "../layout/source.ts";
import { splitByDay } from "./day-parts.ts";
import type { Switch } from "./ignition.ts";

type Amounts = {
  on_ms: number;
  /** The part of it during which the tracker was on trips. */
  moved_ms: number;
  length_meters: number;
  /** The number of its steps. */
  points: number;
};
/** A time during which something was on without a break, with its parts by day. */
export type OnInterval = Amounts & { start_time: number; end_time: number; start: Position; days: OnIntervalDay[] };
type OnIntervalDay = Amounts & { day: string; from: number; to: number; start: Position };
/** The sums of all intervals on one day. */
export type DailyOnTime = Amounts & { day: string; from: number; to: number; start: Position; runs: number };

/**
 * Finds the intervals during which it was on. A state lasts until a point says otherwise; time that the filter excludes
 * ends an interval.
 */
export async function findOnIntervals(
  data: TrackerData,
  { attributes, isOn }: Switch,
  zone: string,
): Promise<OnInterval[]> {
  const moving = new Movement(await data.allTrips());
  const runs: OnInterval[] = [];
  let wasOn = false;
  let open: OnInterval | undefined;
  for await (const page of data.points(attributes)) {
    for (const point of page) {
      if (!point.follows) open = undefined;
      const state = isOn(point);
      if (open && wasOn) lengthen(open, point, moving, zone);
      wasOn = state ?? (point.follows && wasOn);
      if (!wasOn) open = undefined;
      else if (!open) {
        open = beginInterval(point, zone);
        runs.push(open);
      }
    }
  }
  return runs;
}

/** Sums intervals by day. One over midnight is counted on the day on which it began; its time falls on both days. */
export function sumByDay(runs: OnInterval[]): DailyOnTime[] {
  const days = new Map<string, DailyOnTime>();
  for (const run of runs) {
    for (const [index, { day, from, to, start, ...amounts }] of run.days.entries()) {
      const known = days.get(day) ?? { day, from, to, start, runs: 0, ...NOTHING };
      days.set(day, known);
      add(known, amounts);
      known.to = to;
      if (index === 0) known.runs++;
    }
  }
  return [...days.values()];
}

function beginInterval({ time, lat, lng }: TrackPoint, zone: string): OnInterval {
  const [first] = splitByDay(time, time + 1, zone);
  const days = first ? [{ day: first.day, from: time, to: time, start: { lat, lng }, ...NOTHING }] : [];
  return { start_time: time, end_time: time, start: { lat, lng }, ...NOTHING, days };
}

/** A step over midnight is divided in proportion to time. */
function lengthen(
  run: OnInterval,
  { time, lat, lng, step_ms, step_meters }: TrackPoint,
  moving: Movement,
  zone: string,
) {
  run.end_time = time;
  for (const { day, from, to } of splitByDay(time - step_ms, time, zone)) {
    const share = step_ms > 0 ? (to - from) / step_ms : 0;
    const amounts = {
      on_ms: to - from,
      moved_ms: moving.msWithin(from, to),
      length_meters: step_meters * share,
      points: 1,
    };
    add(run, amounts);
    const last = run.days.at(-1);
    if (last?.day === day) {
      add(last, amounts);
      last.to = to;
    } else run.days.push({ day, from, to, start: { lat, lng }, ...amounts });
  }
}

function add(sum: Amounts, { on_ms, moved_ms, length_meters, points }: Amounts) {
  sum.on_ms += on_ms;
  sum.moved_ms += moved_ms;
  sum.length_meters += length_meters;
  sum.points += points;
}

export function sourceOfInterval({ start_time, end_time, start, points }: OnInterval): Source {
  return sourceOf({ from: start_time, to: end_time, point_count: points, points: [{ time: start_time, ...start }] });
}

export function sourceOfDay({ from, to, start, points }: DailyOnTime): Source {
  return sourceOf({ from, to, point_count: points, points: [{ time: from, ...start }] });
}

/** Trips in order; queries must be in order, too. */
export class Movement {
  #trips: ReportTrip[];
  #next = 0;

  constructor(trips: ReportTrip[]) {
    this.#trips = trips;
  }

  /** The trip at this moment, ends included. */
  tripAt(time: number): ReportTrip | undefined {
    while ((this.#trips[this.#next]?.end_time ?? Number.POSITIVE_INFINITY) < time) this.#next++;
    const trip = this.#trips[this.#next];
    return trip && time >= trip.start_time ? trip : undefined;
  }

  /** Milliseconds on trips between the two moments. */
  msWithin(from: number, to: number): number {
    while ((this.#trips[this.#next]?.end_time ?? Number.POSITIVE_INFINITY) <= from) this.#next++;
    let ms = 0;
    for (let index = this.#next; ; index++) {
      const trip = this.#trips[index];
      if (!trip || trip.start_time >= to) return ms;
      ms += Math.max(0, Math.min(to, trip.end_time) - Math.max(from, trip.start_time));
    }
  }
}

const NOTHING: Amounts = { on_ms: 0, moved_ms: 0, length_meters: 0, points: 0 };
