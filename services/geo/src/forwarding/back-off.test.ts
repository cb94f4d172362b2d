import { expect, test } from "vitest";
import { HOUR_MS } from "#shared/time/duration.ts";
import { retryDelayMs } from "./back-off.ts";

test("retryDelayMs doubles from 5 seconds to an hour", () => {
  expect([1, 2, 3, 10, 11, 2000].map((failures) => retryDelayMs(failures, 5))).toEqual([
    5_000,
    10_000,
    20_000,
    2_560_000,
    HOUR_MS,
    HOUR_MS,
  ]);
});
