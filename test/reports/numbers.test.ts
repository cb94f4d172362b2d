import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { newAccount, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { recordedTrack } from "../tool/point/recorded.ts";
import { lengthOf } from "../tool/report/plain.ts";
import { expectLength, leg, MIDNIGHT, rawRows, sectionsOf, sendAll, textRows, totalOf } from "../tool/report/report.ts";

type Fix = { time: number; lat: number; lng: number };

/** Moves a recording to three days ago at eight. */
function movedHere(points: Fix[]): Fix[] {
  const [first] = points;
  return points.map(({ time, lat, lng }) => ({ time: time - (first?.time ?? 0) + MIDNIGHT + 8 * HOUR_MS, lat, lng }));
}

test.each(["car-drive-every-second.json", "car-drive-every-15-seconds.json", "half-hour-track.gpx", "car-drive.gpx"])(
  "trips of the drive %s are as long and last as long as their points say, and stops fill the gaps between them",
  async (file) => {
    const account = await newAccount({ time_zone: "UTC" });
    const { id, source } = await account.newTracker();
    const points = movedHere(recordedTrack(file));
    await sendAll(source.device_id, points);
    const [table] = await sectionsOf(account, id, { plugin_id: 4, filter: false });
    const trips = rawRows(table);
    expect(trips.length).toBeGreaterThan(0);
    for (const trip of trips) {
      const own = points.filter(({ time }) => time >= (trip.from ?? 0) && time <= (trip.to ?? 0));
      expectLength(trip.length, lengthOf(own));
      expect(trip.time).toBe(Math.round(((trip.to ?? 0) - (trip.from ?? 0)) / 1000));
    }
    const sum = (field: string) => trips.reduce((total, trip) => total + (trip[field] ?? 0), 0);
    expect(totalOf(table, "time")).toBe(sum("time"));
    expect(totalOf(table, "length")).toBeCloseTo(sum("length"), 1);
    const [stops] = await sectionsOf(account, id, { plugin_id: 6, filter: false });
    const gaps = trips.slice(1).map((trip, index) => Math.round(((trip.from ?? 0) - (trips[index]?.to ?? 0)) / 1000));
    expect(rawRows(stops).map(({ duration }) => duration)).toEqual(gaps);
  },
);

/** A month of days, each with a drive of an hour that begins at 23:30 in Berlin, its engine on from start to end. */
function nightsOf(days: number, first: number) {
  return Array.from({ length: days }, (_, day) => {
    const start = first + day * DAY_MS;
    const minutes = Array.from({ length: 61 }, (_, minute) => minute);
    return minutes.map((minute) => ({
      ...{ time: start + minute * MINUTE_MS, lat: 50 + minute * 0.009, lng: 8, speed: 60 },
      inputs: [minute < 60],
    }));
  });
}

test("a month's totals are those of its points, and what goes over midnight is divided between the days", async () => {
  const account = await newAccount({ time_zone: "Europe/Berlin" });
  const { id, source } = await account.newTracker();
  const days = 28;
  const first = Math.floor(systemNow() / DAY_MS - days - 2) * DAY_MS + 22.5 * HOUR_MS;
  const nights = nightsOf(days, first);
  await sendAll(source.device_id, nights.flat());
  const range = { from: writeUtc(first - 12 * HOUR_MS), to: writeUtc(first + days * DAY_MS + 12 * HOUR_MS) };
  const [trips] = await sectionsOf(account, id, { plugin_id: 4 }, range);
  expect(rawRows(trips)).toHaveLength(days);
  expect(totalOf(trips, "time")).toBe(days * 3600);
  expectLength(totalOf(trips, "length"), lengthOf(nights[0] ?? []) * days, days);
  const [engine] = await sectionsOf(account, id, { plugin_id: 7 }, range);
  expect(totalOf(engine, "hours")).toBe(days * 3600);
  expect(totalOf(engine, "intervals")).toBe(days);
  const expected = new Map<string, number>();
  for (const night of nights) {
    for (const { time } of night.slice(0, 60)) {
      const day = new Date(time).toLocaleDateString("sv-SE", { timeZone: "Europe/Berlin" });
      expected.set(day, (expected.get(day) ?? 0) + 60);
    }
  }
  expect(rawRows(engine).map(({ hours }) => hours)).toEqual([...expected.values()]);
});

test("hours are counted within the times of the day and the weekdays alone", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const { id, source } = await account.newTracker();
  await sendAll(source.device_id, leg({ start: MIDNIGHT + 8 * HOUR_MS, minutes: 60, speed: 36, inputs: [true] }));
  const hours = async (time_filter: object) => {
    const [table] = await sectionsOf(account, id, { plugin_id: 7 }, { time_filter });
    return totalOf(table, "hours");
  };
  const weekday = new Date(MIDNIGHT).getUTCDay() || 7;
  expect(await hours({ from: "08:10:00", to: "08:40:00" })).toBe(30 * 60);
  expect(await hours({ from: "22:00", to: "08:20:00", weekdays: [((weekday + 5) % 7) + 1] })).toBe(20 * 60);
  expect(await hours({ weekdays: [weekday] })).toBe(60 * 60);
  expect(await hours({ weekdays: [(weekday % 7) + 1] })).toBe(0);
});

test("times and days are written as the user wants them: the format of dates, and twelve hours", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const settings = { date_format: "ddMMyyyy_dots", hour_mode: "TWELVE_HOURS" };
  await account.must("/user/settings/update", settings);
  const { id, source } = await account.newTracker();
  await sendAll(source.device_id, leg({ start: MIDNIGHT + 13 * HOUR_MS, minutes: 10, speed: 36 }));
  const [table] = await sectionsOf(account, id, { plugin_id: 27, max_speed: 20 });
  const [year, month, day] = new Date(MIDNIGHT).toISOString().slice(0, 10).split("-");
  expect(textRows(table)[0]?.start).toBe(`${day}.${month}.${year} 1:00 PM`);
  expect(table.data.map(({ header }: Reply) => header.split(" ")[0])).toEqual([`${day}.${month}.${year}`]);
});
