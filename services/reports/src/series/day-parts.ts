import { readLocal, writeLocal } from "#shared/time/clock.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/duration.ts";

export type DayPart = { day: string; from: number; to: number };

/** Splits a time range at each midnight of the zone; days may have 23 or 25 hours. */
export function splitByDay(from: number, to: number, zone: string): DayPart[] {
  const parts: DayPart[] = [];
  for (let start = from; start < to; ) {
    const { day, end } = dayAt(start, zone);
    parts.push({ day, from: start, to: Math.min(to, end) });
    start = Math.min(to, end);
  }
  return parts;
}

type Day = { day: string; begin: number; end: number };

/** Cached, because most ranges are on the day of the range before. */
function dayAt(ms: number, zone: string): Day {
  const known = lastDays.get(zone);
  if (known && ms >= known.begin && ms < known.end) return known;
  const day = writeLocal(ms, zone).slice(0, 10);
  const [begin, end] = [midnightOf(day, zone) ?? ms, midnightOf(nextDay(day), zone) ?? ms + HOUR_MS];
  const found = { day, begin, end: Math.max(end, ms + 1) };
  lastDays.set(zone, found);
  return found;
}

function midnightOf(day: string, zone: string) {
  return readLocal(`${day} 00:00:00`, zone);
}

export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}

const lastDays = new Map<string, Day>();
