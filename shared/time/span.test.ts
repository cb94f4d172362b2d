import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "./duration.ts";
import { requireSpan } from "./span.ts";

const SPANS = '{"tracks":"P90D"}';

test("ninety days are allowed, a second more is 211", () => {
  const from = Date.UTC(2026, 0, 10);
  expect(() => requireSpan({ from, to: from + 90 * DAY_MS }, SPANS, "tracks", "UTC")).not.toThrow();
  expect(() => requireSpan({ from, to: from + 90 * DAY_MS + 1000 }, SPANS, "tracks", "UTC")).toThrow("211");
});

test("days are the caller's: one that the clocks lengthened is a day", () => {
  // In Berlin the clocks go back on 25 October 2026.
  const from = Date.UTC(2026, 8, 30, 22);
  const to = from + 90 * DAY_MS + HOUR_MS;
  expect(() => requireSpan({ from, to }, SPANS, "tracks", "Europe/Berlin")).not.toThrow();
  expect(() => requireSpan({ from, to }, SPANS, "tracks", "UTC")).toThrow("211");
});

test("without a limit any span is allowed", () => {
  expect(() => requireSpan({ from: 0, to: Date.UTC(2026, 0) }, "{}", "tracks", "UTC")).not.toThrow();
});
