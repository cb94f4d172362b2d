import { expect, test } from "vitest";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { Interval } from "../../table/rule/rule.ts";
import { isScheduled } from "./schedule.ts";

const weekly = (from: [number, string], to: [number, string]): Interval => ({
  type: "weekly",
  interval_id: 1,
  from: { weekday: from[0], time: from[1] },
  to: { weekday: to[0], time: to[1] },
});

test("isScheduled counts a weekly interval from its first second to its last, also over the end of the week", () => {
  const schedule = [weekly([5, "22:00:00"], [1, "06:00:00"])];
  const at = (day: number, time: string) => isScheduled(schedule, Date.parse(`2026-07-0${day}T${time}Z`), "UTC");
  // The third is a Friday, the sixth a Monday.
  expect([at(3, "21:59:59.999"), at(3, "22:00:00"), at(5, "23:59:59"), at(6, "00:00:00")]).toEqual([
    ...[false, true, true, true],
  ]);
  expect([at(6, "06:00:00.999"), at(6, "06:00:01"), at(8, "12:00:00")]).toEqual([true, false, false]);
  // Before 1970 too a week begins on Monday.
  expect(isScheduled([weekly([3, "00:00:00"], [3, "23:59:59"])], Date.UTC(1969, 11, 31, 12), "UTC")).toBe(true);
});

test("isScheduled takes a fixed interval by the wall clock, with both ends", () => {
  const schedule: Interval[] = [
    { type: "fixed", interval_id: 1, from: "2026-07-06 10:00:00", to: "2026-07-06 11:00:00" },
  ];
  const at = (time: string) => isScheduled(schedule, Date.parse(`2026-07-06T${time}Z`), "Europe/Berlin");
  expect([at("07:59:59.999"), at("08:00:00"), at("09:00:00.999"), at("09:00:01")]).toEqual([false, true, true, false]);
});

test("isScheduled counts an hour that clocks show twice both times", () => {
  const schedule = [weekly([7, "02:15:00"], [7, "02:30:00"])];
  const first = Date.UTC(2026, 9, 25, 0, 0);
  const held = [10, 20, 40, 70, 80, 100].map((minute) =>
    isScheduled(schedule, first + minute * MINUTE_MS, "Europe/Berlin"),
  );
  expect(held).toEqual([false, true, false, false, true, false]);
});

test("isScheduled counts an hour that clocks leave out in no interval, and continues intervals over it", () => {
  const left = [weekly([7, "02:15:00"], [7, "02:30:00"])];
  const over = [weekly([7, "01:30:00"], [7, "03:30:00"])];
  const first = Date.UTC(2026, 2, 29, 0, 0);
  const held = (schedule: Interval[]) =>
    [20, 40, 59, 60, 75, 85, 91].map((minute) => isScheduled(schedule, first + minute * MINUTE_MS, "Europe/Berlin"));
  expect(held(left)).toEqual(Array(7).fill(false));
  expect(held(over)).toEqual([false, true, true, true, true, true, false]);
});
