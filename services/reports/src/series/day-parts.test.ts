import { expect, test } from "vitest";
import { HOUR_MS } from "#shared/time/duration.ts";
import { splitByDay } from "./day-parts.ts";

test("splitByDay cuts a range at each midnight of the zone, with days of 23 and 25 hours when clocks change", () => {
  const hours = (from: string, to: string, zone: string) =>
    splitByDay(Date.parse(from), Date.parse(to), zone).map((part) => [part.day, (part.to - part.from) / HOUR_MS]);
  expect(hours("2026-03-28T22:00:00Z", "2026-03-30T00:00:00Z", "Europe/Berlin")).toEqual([
    ["2026-03-28", 1],
    ["2026-03-29", 23],
    ["2026-03-30", 2],
  ]);
  expect(hours("2026-10-24T22:00:00Z", "2026-10-26T00:00:00Z", "Europe/Berlin")).toEqual([
    ["2026-10-25", 25],
    ["2026-10-26", 1],
  ]);
  // Clocks change at midnight, so that this midnight does not exist.
  expect(hours("2018-11-03T12:00:00Z", "2018-11-04T12:00:00Z", "America/Sao_Paulo")).toEqual([
    ["2018-11-03", 15],
    ["2018-11-04", 9],
  ]);
  expect(hours("2026-05-02T10:00:00Z", "2026-05-02T10:00:00Z", "UTC")).toEqual([]);
});
