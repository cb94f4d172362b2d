import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { sourceOf } from "./source.ts";
import { createWriter } from "./writer.ts";

const OPTIONS = { zone: "UTC", language: "en" as const, measurement_system: "metric", show_seconds: false };
const MADE = sourceOf({ from: 0 });
const MIDNIGHT = Date.parse("2031-03-04T00:05:09Z");

test.each([
  [null, "2031-03-04", "Mar 4, 2031"],
  ["ddMMyyyy_dots", "04.03.2031", "04.03.2031"],
  ["ddMMyyyy_slashes", "04/03/2031", "04/03/2031"],
  ["MMddyyyy_hyphens", "03-04-2031", "03-04-2031"],
  ["yyyyMMdd_hyphens", "2031-03-04", "2031-03-04"],
  ["dMMMy", "Mar 4, 2031", "Mar 4, 2031"],
  ["dMMMMy", "March 4, 2031", "March 4, 2031"],
])("a writer uses the date format %s for moments, days and headers", (date_format, inMoment, day) => {
  const writer = createWriter({ ...OPTIONS, date_format });
  expect(writer.moment(MIDNIGHT)).toMatchObject({ v: `${inMoment} 00:05`, raw: MIDNIGHT });
  expect(writer.day(MIDNIGHT).v).toBe(day);
  expect(writer.dayHeader(MIDNIGHT, 3)).toBe(`${day} (Tue) : 3`);
});

test("a writer begins twelve hours with 12, and writes seconds only on request", () => {
  const shown = (show_seconds: boolean, hours: number) =>
    createWriter({ ...OPTIONS, show_seconds, hour_mode: "TWELVE_HOURS" })
      .moment(MIDNIGHT + hours * HOUR_MS)
      .v.slice(11);
  expect([0, 1, 11, 12, 13, 23].map((hours) => shown(false, hours))).toEqual([
    ...["12:05 AM", "1:05 AM", "11:05 AM", "12:05 PM", "1:05 PM", "11:05 PM"],
  ]);
  expect(shown(true, 12)).toBe("12:05:09 PM");
});

test("a writer gives a moment, its day and its header in the zone, on both sides of a change of clocks", () => {
  const writer = createWriter({ ...OPTIONS, zone: "Europe/Berlin", language: "de" });
  const shown = (utc: string) => writer.moment(Date.parse(utc)).v;
  expect(shown("2026-03-29T00:59:00Z")).toBe("2026-03-29 01:59");
  expect(shown("2026-03-29T01:00:00Z")).toBe("2026-03-29 03:00");
  expect(shown("2026-10-25T00:30:00Z")).toBe("2026-10-25 02:30");
  expect(shown("2026-10-25T01:30:00Z")).toBe("2026-10-25 02:30");
  expect(writer.dayOf(Date.parse("2026-10-24T22:00:00Z"))).toBe("2026-10-25");
  expect(writer.dayHeader(Date.parse("2026-10-24T22:00:00Z"), 1)).toBe("25.10.2026 (So) : 1");
});

test.each([
  ["metric", "km", "km/h", "161", "1,609.34"],
  ["imperial", "mi", "mph", "100", "1,000"],
  ["us", "mi", "mph", "100", "1,000"],
  ["nautical", "nmi", "kn", "87", "868.98"],
])(
  "a writer in the system %s gives distances and speeds in its units, with raw values in kilometers",
  (measurement_system, far, fast, speed, distance) => {
    const writer = createWriter({ ...OPTIONS, measurement_system });
    expect(writer.distanceTitle("Length")).toBe(`Length,\n${far}`);
    expect(writer.speedTitle("Speed")).toBe(`Speed,\n${fast}`);
    expect(writer.speed(160.9344)).toMatchObject({ v: speed, raw: 161 });
    expect(writer.distance(1609.344)).toMatchObject({ v: distance, raw: 1609.34 });
    expect(writer.named.distance("Length", 1609.344, MADE)).toMatchObject({
      name: `Length, ${far}`,
      v: distance,
      raw: 1609.34,
    });
    expect(writer.named.speed("Speed", 160.9344, MADE)).toMatchObject({ name: `Speed, ${fast}`, v: speed, raw: 161 });
  },
);

test.each([
  ["metric", "l", "m", "10", "100"],
  ["nautical", "l", "m", "10", "100"],
  ["imperial", "gal", "ft", "2.2", "328.08"],
  ["us", "gal", "ft", "2.64", "328.08"],
  ["metric_gal_us", "gal", "m", "2.64", "100"],
])(
  "a writer in the system %s gives volumes and heights in its units, with raw values in liters and meters",
  (measurement_system, tank, rise, v, h) => {
    const writer = createWriter({ ...OPTIONS, measurement_system });
    expect([writer.volumeTitle("Filled"), writer.heightTitle("Altitude")]).toEqual([
      `Filled, ${tank}`,
      `Altitude, ${rise}`,
    ]);
    expect(writer.volume(10)).toMatchObject({ v, raw: 10 });
    expect(writer.height(100)).toMatchObject({ v: h, raw: 100 });
    expect(writer.named.volume("Filled", 10, MADE)).toMatchObject({ name: `Filled, ${tank}`, v, raw: 10 });
  },
);

test.each([
  ["metric", "l per 100 km", "8"],
  ["nautical", "l per 100 km", "8"],
  ["metric_gal_us", "gal per 100 km", "2.11"],
  ["us", "miles per gallon", "29.4"],
  ["imperial", "miles per gallon", "35.31"],
])(
  "a writer in the system %s gives consumption in its units, with raw values in liters per 100 km",
  (measurement_system, title, v) => {
    const writer = createWriter({ ...OPTIONS, measurement_system });
    expect(writer.consumptionTitle).toBe(title);
    expect(writer.consumption(8)).toMatchObject({ v, raw: 8 });
    expect(writer.consumption(0)).toMatchObject({ v: "0", raw: 0 });
  },
);

test("a writer gives raw durations in seconds in cells and in minutes in lists, with any number of hours", () => {
  const long = 100 * HOUR_MS + 7 * MINUTE_MS + 8000;
  expect(createWriter(OPTIONS).duration(long)).toMatchObject({ v: "100:07", raw: 360_428 });
  expect(createWriter({ ...OPTIONS, show_seconds: true }).duration(long).v).toBe("100:07:08");
  expect(createWriter(OPTIONS).named.duration("Time", long, MADE)).toMatchObject({ v: "100:07", raw: 6007 });
});
