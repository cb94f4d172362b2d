import { expect, test } from "vitest";
import { durationOf, HOUR_MS } from "#shared/time/duration.ts";
import { tooSoonError } from "./resend-wait.ts";

test.each([
  [300_000, "PT5M"],
  [271_575, "PT4M31.575S"],
  [1, "PT0.001S"],
  [60_001, "PT1M0.001S"],
  [HOUR_MS, "PT1H"],
  [0, "PT0S"],
])("durationOf writes %d ms as %s", (ms, text) => {
  expect(durationOf(ms)).toBe(text);
});

test("tooSoonError answers a remainder of more than nothing and at most the wait", () => {
  expect(tooSoonError(1000, 29_425).extra).toEqual({ timeout: "PT5M", remainder: "PT4M31.575S" });
  expect(tooSoonError(5000, 1000).extra).toMatchObject({ remainder: "PT5M" });
  expect(tooSoonError(0, 300_000).extra).toMatchObject({ remainder: "PT0.001S" });
});
