import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "./duration.ts";
import { requireSpan } from "./span.ts";

const SPANS = '{"tracks":"P90D"}';

test("requireSpan allows ninety days, and refuses a second more (211)", () => {
  const from = Date.UTC(2026, 0, 10);
  expect(() => requireSpan({ from, to: from + 90 * DAY_MS }, SPANS, "tracks", "UTC")).not.toThrow();
  expect(() => requireSpan({ from, to: from + 90 * DAY_MS + 1000 }, SPANS, "tracks", "UTC")).toThrow("211");
});

test("requireSpan counts days in the caller's zone, where a day may have 25 hours", () => {
  // In Berlin the clocks go back on 25 October 2026.
  const from = Date.UTC(2026, 8, 30, 22);
  const to = from + 90 * DAY_MS + HOUR_MS;
  expect(() => requireSpan({ from, to }, SPANS, "tracks", "Europe/Berlin")).not.toThrow();
  expect(() => requireSpan({ from, to }, SPANS, "tracks", "UTC")).toThrow("211");
});

test("requireSpan without a limit allows any span", () => {
  expect(() => requireSpan({ from: 0, to: Date.UTC(2026, 0) }, "{}", "tracks", "UTC")).not.toThrow();
});
