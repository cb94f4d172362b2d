import { expect, test } from "vitest";
import { storedSince } from "./tariff.ts";

test.each([
  ["36h", "2026-11-18T22:00:00Z"],
  ["30d", "2026-10-21T10:00:00Z"],
  ["3m", "2026-08-20T10:00:00Z"],
  ["1y", "2025-11-20T10:00:00Z"],
  ["30y", "1996-11-20T10:00:00Z"],
])("storedSince goes back %s from a moment, by the calendar", (period, since) => {
  expect(new Date(storedSince(period, Date.parse("2026-11-20T10:00:00Z"))).toISOString()).toBe(
    since.replace("Z", ".000Z"),
  );
});
