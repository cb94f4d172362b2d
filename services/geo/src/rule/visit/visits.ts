import type { Stop } from "#shared/contract/point/visit.ts";
import { metersBetween } from "#shared/geometry/distance.ts";

/** A position by satellites; positions of cell towers are ignored. */
export type Fix = { time: number; lat: number; lng: number };
/** A visit lasts from the first fix inside to the first fix outside. */
export type Visit = { from: number; to: number };
/** Visits in time order. The last one is still running if the last fix was inside. */
export type Visits = { list: Visit[]; is_inside: boolean };
/** The result of all visits: when the tracker arrived and how long it stayed. */
export type Progress = {
  arrival_date: number | null;
  arrived: number | null;
  stay_ms: number;
  stayed: number | null;
};

export const NO_VISITS: Visits = { list: [], is_inside: false };

/** Whether the fix is at the stop; the border is inside. */
export function isAt(stop: Pick<Stop, "lat" | "lng" | "radius">, fix: Fix): boolean {
  // Most fixes are far from most stops: the latitude alone excludes these cheaply.
  if (Math.abs(fix.lat - stop.lat) * MIN_METERS_PER_DEGREE > stop.radius) return false;
  return metersBetween(stop, fix) <= stop.radius;
}

/** Applies the next fix to the visits. A stay that began before the stop's time counts from the stop's time. */
export function applyFix(visits: Visits, stop: Stop, fix: Fix, before: Fix | null): Visits {
  const { list, is_inside } = visits;
  if (fix.time < stop.from) return visits;
  const [isIn, last] = [isAt(stop, fix), list.at(-1)];
  if (is_inside && last) {
    const to = Math.max(last.to, Math.min(fix.time, stop.deadline));
    return { list: [...list.slice(0, -1), { ...last, to }], is_inside: isIn && fix.time <= stop.deadline };
  }
  if (!isIn || fix.time > stop.deadline) return is_inside ? { list, is_inside: false } : visits;
  const wasThere = before !== null && before.time < stop.from && isAt(stop, before);
  const visit = { from: wasThere ? stop.from : fix.time, to: fix.time };
  return { list: mergeOldest([...list, visit], stop), is_inside: true };
}

/** The visits that no fix at `time` or later can change, and the time from which fixes have to be applied again. */
export function cutVisits({ list, is_inside }: Visits, time: number): { visits: Visits; from: number } {
  const index = list.findIndex((visit, index) => visit.to >= time || (is_inside && index === list.length - 1));
  const first = list[index];
  const earlier = { list: index === -1 ? list : list.slice(0, index), is_inside: false };
  return { visits: earlier, from: Math.min(time, first?.from ?? time) };
}

/** The progress at `now`. A tracker whose last fix was inside is assumed to be inside until `now`. */
export function progressOf({ list, is_inside }: Visits, stop: Stop, now: number): Progress {
  const until = Math.min(now, stop.deadline);
  const lasting = list.map((visit, index) =>
    is_inside && index === list.length - 1 ? { ...visit, to: Math.max(visit.to, until) } : visit,
  );
  const counted = lasting.filter(({ from, to }) => to - from >= stop.min_arrival_ms);
  const [first] = counted;
  const progress = { arrival_date: first?.from ?? null, arrived: first ? first.from + stop.min_arrival_ms : null };
  let stay_ms = 0;
  let stayed: number | null = null;
  for (const { from, to } of counted) {
    if (stayed === null && stay_ms + to - from >= stop.min_stay_ms) stayed = stayedTimeOf(stop, from, stay_ms);
    stay_ms += to - from;
  }
  return { ...progress, stay_ms, stayed };
}

/** The next time at which staying inside changes the progress; null: never. */
export function nextChangeTime({ list, is_inside }: Visits, stop: Stop, now: number): number | null {
  const last = list.at(-1);
  if (!is_inside || !last) return null;
  const { stay_ms } = progressOf({ list: list.slice(0, -1), is_inside: false }, stop, now);
  const moments = [last.from + stop.min_arrival_ms, stayedTimeOf(stop, last.from, stay_ms)];
  const next = Math.min(...moments.filter((moment) => moment > Math.max(now, last.to)));
  return next <= stop.deadline ? next : null;
}

/** When this visit, together with `before_ms` of earlier visits, is as long as the stop requires. */
function stayedTimeOf(stop: Stop, from: number, before_ms: number) {
  return from + Math.max(stop.min_arrival_ms, stop.min_stay_ms - before_ms);
}

/** Limits the number of visits: the oldest are merged into one of their total length, which keeps arrival and stay. */
function mergeOldest(list: Visit[], { min_arrival_ms }: Stop): Visit[] {
  if (list.length <= MAX_VISITS) return list;
  const counted = list.slice(0, -1).filter(({ from, to }) => to - from >= min_arrival_ms);
  const [first, ...others] = counted.slice(0, Math.ceil(MAX_VISITS / 2));
  const longer = others.reduce((sum, { from, to }) => sum + to - from, 0);
  const newest = counted.slice(Math.ceil(MAX_VISITS / 2));
  return [...(first ? [{ from: first.from, to: first.to + longer }] : []), ...newest, ...list.slice(-1)];
}

/** The shortest degree of latitude on the earth. */
const MIN_METERS_PER_DEGREE = 110_500;
const MAX_VISITS = 400;
