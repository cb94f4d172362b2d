import { expect, test } from "vitest";
import { HOUR_MS } from "#shared/time/duration.ts";
import { computeRetryTime } from "./backoff.ts";

test("computeRetryTime doubles the wait from 5 seconds to an hour", () => {
  const waits = [1, 2, 3, 10, 11, 100].map((tries) => computeRetryTime({ created: 0, tries }, 0, 24));
  expect(waits).toEqual([5_000, 10_000, 20_000, 2_560_000, HOUR_MS, HOUR_MS]);
});

test("computeRetryTime ends after the hours of retrying", () => {
  expect(computeRetryTime({ created: 0, tries: 50 }, 23 * HOUR_MS, 24)).toBe(24 * HOUR_MS);
  expect(computeRetryTime({ created: 0, tries: 50 }, 23 * HOUR_MS + 1, 24)).toBeNull();
});
