import { Temporal } from "temporal-polyfill";
import type { GeoEnv } from "../../env.ts";
import { feedOf } from "../../object/addresses.ts";

/** The days that a range touches, as `yyyy-MM-dd` in the zone. */
export function daysOf({ from, to }: { from: number; to: number }, zone: string): string[] {
  const dayOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  const last = dayOf(to);
  const days: string[] = [];
  for (let day = dayOf(from); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    days.push(day.toString());
  }
  return days;
}

/** Kilometers by day, for days with points: from the last mark of one day to the last of the next. */
export async function mileageOf(
  env: GeoEnv,
  tracker_id: number,
  { from, to }: { from: number; to: number },
  dayOf: (ms: number) => string,
): Promise<Map<string, number>> {
  const feed = feedOf(env, tracker_id);
  const of: ["meters"] = ["meters"];
  const since = Number.MAX_SAFE_INTEGER;
  const before = await feed.meterValues({ times: [from - 1], of, since });
  const { times, values } = await feed.meterMarks({ from, to, of, since });
  const byDay = new Map<string, number>();
  let meters = before.values[0]?.[0] ?? 0;
  for (const [index, time] of times.entries()) {
    const now = values[index]?.[0] ?? meters;
    const day = dayOf(time);
    byDay.set(day, (byDay.get(day) ?? 0) + now - meters);
    meters = now;
  }
  for (const [day, run] of byDay) byDay.set(day, Math.round(run) / 1000);
  return byDay;
}
