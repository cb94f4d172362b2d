import { expect, test } from "vitest";
import type { ScheduleDays } from "#shared/time/schedule-days.ts";
import type { ScheduleParameters } from "../table/report-schedule.ts";
import { findNextRun, rangeBefore } from "./days.ts";

const BERLIN = "Europe/Berlin";
const iso = (ms: number) => new Date(ms).toISOString();

function next(schedule: ScheduleDays, from: string, sending_time = "07:00:00", zone = BERLIN) {
  return iso(findNextRun({ schedule, sending_time } as ScheduleParameters, Date.parse(from), zone));
}

test("findNextRun gives a moment on the same day until its hour has come, and skips days that a month lacks", () => {
  // A Friday.
  const friday: ScheduleDays = { type: "weekdays", weekdays: [5] };
  expect(next(friday, "2026-11-20T05:59:59Z")).toBe("2026-11-20T06:00:00.000Z");
  expect(next(friday, "2026-11-20T06:00:00Z")).toBe("2026-11-27T06:00:00.000Z");
  expect(next({ type: "month_days", month_days: [31] }, "2027-01-31T12:00:00Z")).toBe("2027-03-31T05:00:00.000Z");
});

test("findNextRun at an hour that the clocks skip is the one behind it, and at a repeated hour the first", () => {
  const daily: ScheduleDays = { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] };
  expect(next(daily, "2026-03-28T12:00:00Z", "02:00:00")).toBe("2026-03-29T01:00:00.000Z");
  expect(next(daily, "2026-10-24T12:00:00Z", "02:00:00")).toBe("2026-10-25T00:00:00.000Z");
  expect(next(daily, "2026-10-25T00:00:00Z", "02:00:00")).toBe("2026-10-26T01:00:00.000Z");
});

test("rangeBefore ends with the day before, and has whole days of the zone, also of 23 and 25 hours", () => {
  const range = (day: string, period: string) => Object.values(rangeBefore(day, period, BERLIN)).map(iso);
  expect(range("2026-03-30", "1d")).toEqual(["2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.000Z"]);
  expect(range("2026-10-26", "1d")).toEqual(["2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.000Z"]);
  expect(range("2026-05-04", "2w")).toEqual(["2026-04-19T22:00:00.000Z", "2026-05-03T21:59:59.000Z"]);
  expect(range("2026-03-31", "1m")).toEqual(["2026-02-27T23:00:00.000Z", "2026-03-30T21:59:59.000Z"]);
});
