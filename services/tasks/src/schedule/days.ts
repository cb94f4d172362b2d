import { findScheduledDay, type ScheduleDays, startOfDay, toDay, toNextDay } from "#shared/time/schedule-days.ts";

/** The beginning of the next scheduled day after `now` in the zone; the current day has begun already and does not count. */
export function findNextRun(days: ScheduleDays, now: number, zone: string): number {
  return startOfDay(findScheduledDay(days, toNextDay(toDay(now, zone))), zone);
}
