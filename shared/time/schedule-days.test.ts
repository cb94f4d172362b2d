import { expect, test } from "vitest";
import { findScheduledDay, startOfDay, toDay, toMoment } from "./schedule-days.ts";

const BERLIN = "Europe/Berlin";
const iso = (ms: number) => new Date(ms).toISOString();

test("findScheduledDay includes the given day and skips days that a month lacks", () => {
  const fridays = { type: "weekdays" as const, weekdays: [5] };
  expect(findScheduledDay(fridays, "2026-11-20")).toBe("2026-11-20");
  expect(findScheduledDay(fridays, "2026-11-21")).toBe("2026-11-27");
  expect(findScheduledDay({ type: "month_days", month_days: [31] }, "2027-02-01")).toBe("2027-03-31");
});

test("toMoment moves a time that the day lacks forward, and takes the earlier of two", () => {
  expect(iso(toMoment("2026-03-29", "02:30:00", BERLIN))).toBe("2026-03-29T01:30:00.000Z");
  expect(iso(toMoment("2026-10-25", "02:30:00", BERLIN))).toBe("2026-10-25T00:30:00.000Z");
});

test("startOfDay and toDay agree on a day without midnight", () => {
  expect(iso(startOfDay("2026-04-24", "Africa/Cairo"))).toBe("2026-04-23T22:00:00.000Z");
  expect(toDay(Date.parse("2026-04-23T22:00:00Z"), "Africa/Cairo")).toBe("2026-04-24");
});
