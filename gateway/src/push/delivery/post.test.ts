import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { parseRetryAfterMs } from "./post.ts";

const NOW = Date.UTC(2026, 6, 9, 12);

test.each([
  [null, 0],
  ["120", 120_000],
  ["Thu, 09 Jul 2026 12:01:00 GMT", MINUTE_MS],
  ["Thu, 09 Jul 2026 11:00:00 GMT", 0],
  ["-5", 0],
  ["soon", 0],
  ["99999999999", DAY_MS],
])("parseRetryAfterMs reads %j as a wait of %d ms", (value, ms) => {
  expect(parseRetryAfterMs(value, NOW)).toBe(ms);
});
