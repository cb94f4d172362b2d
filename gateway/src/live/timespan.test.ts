import { expect, test } from "vitest";
import { timespanMs } from "./timespan.ts";

test.each([
  ["5s", 5_000],
  ["500ms", 500],
  ["2m", 120_000],
  ["1h", 3_600_000],
  ["0s", 0],
  ["24h", 86_400_000],
  ["25h", undefined],
  ["5", undefined],
  ["-5s", undefined],
  ["5 s", undefined],
  ["", undefined],
])("timespanMs reads %j as %s milliseconds", (text, ms) => {
  expect(timespanMs(text)).toBe(ms);
});
