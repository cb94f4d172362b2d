import { expect, test } from "vitest";
import { type ScheduleDays, toDay } from "#shared/time/schedule-days.ts";
import { findNextRun } from "./days.ts";

const BERLIN = "Europe/Berlin";

/** The days of the first `count` runs after this moment. */
function runs(parameters: ScheduleDays, from: string, count: number, zone = BERLIN) {
  const found: string[] = [];
  let now = Date.parse(from);
  for (let run = 0; run < count; run++) {
    now = findNextRun(parameters, now, zone);
    found.push(toDay(now, zone));
  }
  return found;
}

test("findNextRun gives weekdays in order, without the day that runs", () => {
  // A Friday, 00:30 in Berlin.
  const days = runs({ type: "weekdays", weekdays: [5, 1, 7] }, "2026-11-19T23:30:00Z", 4);
  expect(days).toEqual(["2026-11-22", "2026-11-23", "2026-11-27", "2026-11-29"]);
});

test("findNextRun skips a day that a month lacks, across years too", () => {
  const days = runs({ type: "month_days", month_days: [31] }, "2026-12-30T12:00:00Z", 4);
  expect(days).toEqual(["2026-12-31", "2027-01-31", "2027-03-31", "2027-05-31"]);
  expect(runs({ type: "month_days", month_days: [29] }, "2027-01-29T12:00:00Z", 1)).toEqual(["2027-03-29"]);
  expect(runs({ type: "month_days", month_days: [29] }, "2028-01-29T12:00:00Z", 1)).toEqual(["2028-02-29"]);
});

test("findNextRun gives midnight of the zone, whatever its clocks do, and the first moment of a day without midnight", () => {
  const daily: ScheduleDays = { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] };
  const next = (from: string, zone: string) => new Date(findNextRun(daily, Date.parse(from), zone)).toISOString();
  expect(next("2026-03-28T12:00:00Z", BERLIN)).toBe("2026-03-28T23:00:00.000Z");
  expect(next("2026-03-29T12:00:00Z", BERLIN)).toBe("2026-03-29T22:00:00.000Z");
  expect(next("2026-04-23T12:00:00Z", "Africa/Cairo")).toBe("2026-04-23T22:00:00.000Z");
});
