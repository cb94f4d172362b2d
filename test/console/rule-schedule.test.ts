import { expect, test } from "vitest";
import {
  HOURS,
  hoursOf,
  type Interval,
  splitSchedule,
  toIntervals,
  WEEK_HOURS,
} from "../../console/src/rule/schedule.ts";

test.each<[string, ReadonlySet<number>]>([
  ["hours of several days", hoursOf([0, 1, 4], 8, 18)],
  ["a night that crosses the end of the week", new Set([...hoursOf([6], 22, HOURS), ...hoursOf([0], 0, 6)])],
  ["a single hour", new Set([WEEK_HOURS - 1])],
  ["the whole week", hoursOf([0, 1, 2, 3, 4, 5, 6], 0, HOURS)],
  ["no hour", new Set()],
])("toIntervals gives for %s intervals that mean the same hours", (_, hours) => {
  const schedule = toIntervals(hours);
  const { hours: again, others } = splitSchedule(schedule);
  expect([...again].toSorted()).toEqual([...hours].toSorted());
  expect(others).toEqual([]);
});

test("intervals that touch are one", () => {
  expect(toIntervals(hoursOf([0, 1], 0, HOURS))).toEqual([weekly(1, "00:00:00", 2, "23:59:59")]);
});

test("times that are no whole hours of a week are kept apart", () => {
  const odd = weekly(1, "08:30:00", 5, "17:00:00");
  const fixed: Interval = { type: "fixed", from: "2026-07-01 00:00:00", to: "2026-07-14 00:00:00" };
  const { hours, others } = splitSchedule([odd, weekly(6, "10:00:00", 6, "12:00:00"), fixed]);
  expect(others).toEqual([odd, fixed]);
  expect([...hours]).toEqual([...hoursOf([5], 10, 12)]);
});

function weekly(from: number, begin: string, to: number, end: string): Interval {
  return { type: "weekly", from: { weekday: from, time: begin }, to: { weekday: to, time: end } };
}
