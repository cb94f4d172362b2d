import { expect, test } from "vitest";
import { DAY_MS } from "#shared/time/duration.ts";
import { storedRange } from "./stored-range.ts";

test("storedRange cuts a range that begins before the storage period where the period begins", () => {
  const now = Date.UTC(2026, 5, 15, 12);
  const clock = { now: () => now };
  const since = Date.UTC(2026, 2, 15, 12);
  const to = Date.UTC(2026, 5, 1);
  expect(storedRange({ from: since, to }, ["3m", null], clock)).toMatchObject({ from: since, limit_exceeded: false });
  expect(storedRange({ from: since - 1000, to }, ["3m", null], clock)).toMatchObject({
    from: since,
    limit_exceeded: true,
  });
});

test("storedRange counts the last second to its end", () => {
  const range = storedRange({ from: 1_000_000, to: 2_000_000 }, ["30y", null], { now: () => 3_000_000 });
  expect(range.to).toBe(2_000_999);
});

test("storedRange uses the shorter of the plan's storage period and the group's", () => {
  const now = Date.UTC(2026, 5, 15, 12);
  const clock = { now: () => now };
  const range = { from: now - 20 * DAY_MS, to: now };
  for (const periods of [
    ["3m", "10d"],
    ["10d", "3m"],
  ]) {
    expect(storedRange(range, periods, clock)).toMatchObject({ from: now - 10 * DAY_MS, limit_exceeded: true });
  }
});
