import { describe, expect, test } from "vitest";
import { DAY_MS } from "#shared/time/duration.ts";
import { EARLIEST_MS } from "#shared/time/earliest.ts";
import { isTimely, parseIsoTime, readTime } from "./time.ts";

const NOW = Date.parse("2025-07-01T12:00:00Z");
const LIMITS = { nowMs: NOW, latestMs: NOW + DAY_MS };

describe("isoTime", () => {
  const same = Date.parse("2024-05-02T08:15:09Z");
  test.each([
    "2024-05-02T08:15:09Z",
    "2024-05-02T08:15:09.000Z",
    "2024-05-02T08:15:09.0009Z",
    "2024-05-02T08:15:09",
    "2024-05-02 08:15:09",
    "2024-05-02 08:15:09.000Z",
    "2024-05-02t08:15:09z",
    "2024-05-02T10:15:09+02:00",
    "2024-05-02T10:15:09.000+0200",
    "2024-05-02T10:15:09 02:00",
    "2024-05-02T10:15:09+02",
    "2024-05-02T01:15:09-0700",
    "2024-05-02T02:45:09-05:30",
  ])("parseIsoTime reads %s to the millisecond", (text) => {
    expect(parseIsoTime(text)).toBe(same);
  });

  test("parseIsoTime cuts fractions to milliseconds, and takes a time without seconds", () => {
    expect(parseIsoTime("2024-05-02T08:15:09.987Z")).toBe(same + 987);
    expect(parseIsoTime("2024-05-02T08:15:09.9876543Z")).toBe(same + 987);
    expect(parseIsoTime("2024-05-02T08:15:09,5Z")).toBe(same + 500);
    expect(parseIsoTime("2024-05-02T08:15Z")).toBe(same - 9000);
  });

  test.each([
    ["2024-02-29T00:00:00Z", "2023-02-29T00:00:00Z"],
    ["2000-02-29T00:00:00Z", "2100-02-29T00:00:00Z"],
    ["2024-04-30T00:00:00Z", "2024-04-31T00:00:00Z"],
    ["2024-12-31T00:00:00Z", "2024-13-31T00:00:00Z"],
    ["2024-01-01T00:00:00Z", "2024-00-01T00:00:00Z"],
    ["2024-01-01T00:00:00Z", "2024-01-00T00:00:00Z"],
    ["2024-01-01T23:59:59Z", "2024-01-01T24:00:00Z"],
    ["2024-01-01T23:59:59Z", "2024-01-01T23:60:00Z"],
    ["2024-01-01T23:59:59Z", "2024-01-01T23:59:60Z"],
    ["2024-01-01T00:00:00+23:59", "2024-01-01T00:00:00+24:00"],
    ["2024-01-01T00:00:00+23:59", "2024-01-01T00:00:00+23:60"],
  ])("parseIsoTime knows that %s exists and that %s does not", (exists, doesNot) => {
    expect(parseIsoTime(exists)).toBe(Date.parse(exists));
    expect(parseIsoTime(doesNot)).toBeNaN();
  });

  test.each([
    "",
    "yesterday",
    "2024-05-02",
    "2024-5-2T08:15:09Z",
    "20240502T081509Z",
    "2024/05/02T08:15:09Z",
    "2024-05-02T08:15:09ZZ",
    "2024-05-02T08-15-09Z",
    "2024-05-02T08:15:0xZ",
    "2024-05-02T08:15:09.00xZ",
    "2024-05-02T08:15:09+000Z",
    "+002024-05-02T08:15:09Z",
    "2024-05-02T08:15:09Z\0",
    "２０２４-05-02T08:15:09Z",
  ])("parseIsoTime refuses %j", (text) => {
    expect(parseIsoTime(text)).toBeNaN();
  });
});

describe("isTimely", () => {
  test("isTimely takes times from the first moment of 2000 to the last one ahead that is allowed", () => {
    expect(isTimely(EARLIEST_MS, LIMITS)).toBe(true);
    expect(isTimely(EARLIEST_MS - 1, LIMITS)).toBe(false);
    expect(isTimely(NOW + DAY_MS, LIMITS)).toBe(true);
    expect(isTimely(NOW + DAY_MS + 1, LIMITS)).toBe(false);
    expect(isTimely(Number.NaN, LIMITS)).toBe(false);
    expect(isTimely(Number.POSITIVE_INFINITY, LIMITS)).toBe(false);
  });
});

describe("readTime", () => {
  test("readTime tells seconds from milliseconds, as numbers and as text", () => {
    expect(readTime(1_504_763_810, "t", LIMITS)).toBe(1_504_763_810_000);
    expect(readTime("1504763810", "t", LIMITS)).toBe(1_504_763_810_000);
    expect(readTime(1_504_763_810.25, "t", LIMITS)).toBe(1_504_763_810_250);
    expect(readTime("1504763810000", "t", LIMITS)).toBe(1_504_763_810_000);
  });

  test("readTime corrects counts from 2001 that lie within the last 30 days, and no others", () => {
    const from2001 = (ms: number) => (ms - Date.UTC(2001, 0, 1)) / 1000;
    expect(readTime(from2001(NOW), "t", LIMITS)).toBe(NOW);
    expect(readTime(from2001(NOW - 30 * DAY_MS), "t", LIMITS)).toBe(NOW - 30 * DAY_MS);
    expect(() => readTime(from2001(NOW - 30 * DAY_MS - 1000), "t", LIMITS)).toThrow("7 ");
    expect(() => readTime(from2001(NOW + 1000), "t", LIMITS)).toThrow("7 ");
  });

  test.each([null, undefined, true, [], {}, "", "NaN", Number.NaN, -1, 0, Number.POSITIVE_INFINITY])(
    "readTime refuses %j",
    (value) => {
      expect(() => readTime(value, "t", LIMITS)).toThrow("7 ");
    },
  );
});
