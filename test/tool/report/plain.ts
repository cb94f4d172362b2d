import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../shared/time/duration.ts";
import { writeUtc } from "../call/utc-time.ts";

/** A point of a device. This file computes with points as with paper and pencil, without the services' code. */
export type Fix = {
  time: number;
  lat: number;
  lng: number;
  /** km/h, whole. */
  speed: number;
  inputs: boolean[];
  attributes: Record<string, number>;
};
type Spot = { time: number; lat: number; lng: number };
export type Span = { from: number; to: number };
export type TimeFilter = { from: string; to: string; weekdays: number[] };

/** Kilometers along the points, each step the chord between two places on a ball. */
export function lengthOf(points: Spot[]) {
  return points.slice(1).reduce((sum, point, index) => sum + driven(points[index] ?? point, point), 0);
}

/** Kilometers between two positions; 0 for a step that would have taken more than 300 km/h. */
export function driven(one: Spot, other: Spot) {
  const kilometers = between(one, other);
  return kilometers <= (300 * (other.time - one.time)) / HOUR_MS ? kilometers : 0;
}

export function between(one: Omit<Spot, "time">, other: Omit<Spot, "time">) {
  const [a, b] = [onBall(one), onBall(other)];
  return 6371.0088 * Math.hypot(...a.map((value, axis) => value - (b[axis] ?? 0)));
}

function onBall({ lat, lng }: Omit<Spot, "time">) {
  const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

/** Drives: fast points, as long as no silence is longer than half an hour and no stop as long as five minutes. */
export function drivesOf(fixes: Fix[]): Fix[][] {
  const drives: Fix[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, fix] of fixes.entries()) {
    if (fix.speed < 3) continue;
    const way = fixes.slice(Math.max(0, last), index + 1);
    const slow = way.slice(1, -1);
    const isSilent = way.some(({ time }, at) => at > 0 && time - (way[at - 1]?.time ?? time) > 30 * MINUTE_MS);
    const stood = Math.max((slow.at(-1)?.time ?? 0) - (way[0]?.time ?? 0), fix.time - (slow[0]?.time ?? fix.time));
    if (last < 0 || isSilent || stood >= 5 * MINUTE_MS) drives.push([fix]);
    else drives.at(-1)?.push(...way.slice(1));
    last = index;
  }
  // A point without another one for half an hour before and after it is no drive.
  return drives.filter((drive) => drive.length > 1 || fixes.some((fix) => isNear(fix, drive[0] ?? fix)));
}

function isNear(one: Fix, other: Fix) {
  return one !== other && Math.abs(one.time - other.time) <= 30 * MINUTE_MS;
}

export type Step = { from: Fix; to: Fix };

/** Steps from point to point, without those that contain twelve hours of silence: nothing is known of that time. */
export function stepsOf(fixes: Fix[], belongs: (from: number, to: number) => boolean = () => true): Step[] {
  return fixes.slice(1).flatMap((to, index) => {
    const from = fixes[index] ?? to;
    return to.time - from.time <= 12 * HOUR_MS && belongs(from.time, to.time) ? [{ from, to }] : [];
  });
}

/** Runs of successive steps at whose start an input was on. */
export function runsOf(steps: Step[], isOn: (fix: Fix) => boolean): Step[][] {
  const runs: Step[][] = [];
  for (const step of steps) {
    if (!isOn(step.from)) continue;
    const last = runs.at(-1);
    if (last?.at(-1)?.to === step.from) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

export function spanOf(run: Step[]): Span {
  return { from: run[0]?.from.time ?? 0, to: run.at(-1)?.to.time ?? 0 };
}

/** Runs of successive points that all pass `isSo`, without half an hour of silence between two of them. */
export function rowsOf(fixes: Fix[], isSo: (fix: Fix) => boolean): Fix[][] {
  const rows: Fix[][] = [];
  for (const [index, fix] of fixes.entries()) {
    if (!isSo(fix)) continue;
    const before = fixes[index - 1];
    const goesOn = before && isSo(before) && fix.time - before.time <= 30 * MINUTE_MS;
    if (goesOn) rows.at(-1)?.push(fix);
    else rows.push([fix]);
  }
  return rows;
}

/** Milliseconds that a span has in common with others. */
export function overlapMs({ from, to }: Span, others: Span[]) {
  return sum(others, (other) => Math.max(0, Math.min(to, other.to) - Math.max(from, other.from)));
}

export function sum<Item>(items: Item[], of: (item: Item) => number) {
  return items.reduce((total, item) => total + of(item), 0);
}

export type LocalClock = ReturnType<typeof localClock>;

/** The local time and day in a zone, by the offset of each quarter of an hour: to format every moment takes long. */
export function localClock(timeZone: string) {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const offsets = new Map<number, number>();
  const offsetAt = (ms: number) => {
    const quarter = ms - (ms % QUARTER_MS);
    const offset = offsets.get(quarter) ?? Date.parse(`${format.format(quarter).replace(" ", "T")}Z`) - quarter;
    offsets.set(quarter, offset);
    return offset;
  };
  const textOf = (ms: number) => writeUtc(ms + offsetAt(ms));
  return { textOf, dayOf: (ms: number) => textOf(ms).slice(0, 10), timeOf: (ms: number) => textOf(ms).slice(11) };
}

/** The day to which a moment belongs by a filter that may go over midnight; null: it is left out. */
export function windowOf(ms: number, { from, to, weekdays }: TimeFilter, { textOf }: LocalClock) {
  const [day = "", time = ""] = textOf(ms).split(" ");
  if (from <= to ? time < from || time > to : time < from && time > to) return null;
  const noon = Date.parse(`${day}T12:00:00Z`) - (from > to && time <= to ? DAY_MS : 0);
  return weekdays.includes(new Date(noon).getUTCDay() || 7) ? new Date(noon).toISOString().slice(0, 10) : null;
}

const QUARTER_MS = 15 * MINUTE_MS;
