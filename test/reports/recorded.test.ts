import { beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { type Account, newAccount, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { fixesOf } from "../tool/report/drive.ts";
import {
  between,
  driven,
  drivesOf,
  lengthOf,
  overlapMs,
  rowsOf,
  runsOf,
  spanOf,
  stepsOf,
  sum,
} from "../tool/report/plain.ts";
import {
  DAY,
  expectLength,
  explainedTablesOfAll,
  MIDNIGHT,
  namedValues,
  newSensors,
  rawRows,
  sectionsOf,
  sectionsOfAll,
  sendAll,
  sourcesOf,
  textRows,
  totalOf,
} from "../tool/report/report.ts";

const RANGE = { from: writeUtc(MIDNIGHT), to: writeUtc(MIDNIGHT + 3 * DAY_MS - 1000) };

const FILES = [
  ...[
    "car-drive-every-second.json",
    "car-drive-every-15-seconds.json",
    "half-hour-track.gpx",
    "car-drive.gpx",
    "several-tracks-with-gaps.gpx",
  ],
  ...["speed-per-point.gpx", "rmc-up-to-32-knots.nmea"],
];

describe.each(FILES)("reports of the drive %s", (file) => {
  const fixes = fixesOf(file);
  const drives = drivesOf(fixes);
  const spans = drives.map((drive) => ({ from: drive[0]?.time ?? 0, to: drive.at(-1)?.time ?? 0 }));
  const steps = stepsOf(fixes);
  let account: Account;
  let tracker: Reply;
  let sensors: Record<string, number> = {};

  beforeAll(async () => {
    account = await newAccount({ time_zone: "UTC" });
    tracker = await account.newTracker();
    sensors = await newSensors(account, tracker.id);
    await sendAll(tracker.source.device_id, fixes);
  });

  const reports = (...plugins: object[]) => sectionsOfAll(account, tracker.id, plugins, RANGE);
  const ofSensor = (plugin_id: number, name: string) => ({
    ...{ plugin_id, sensors: [{ tracker_id: tracker.id, sensor_id: sensors[name] }], filter: false },
  });
  const milliseconds = sum(spans, ({ from, to }) => to - from);

  test("trips and the stops between them are those of the points", async () => {
    const [[table, summary], [stops]] = await reports({ plugin_id: 4, filter: false }, { plugin_id: 6, filter: false });
    const rows = rawRows(table);
    expect(drives.length).toBeGreaterThan(0);
    expect(rows.map(({ from, to }) => ({ from, to }))).toEqual(spans);
    for (const [index, drive] of drives.entries()) {
      const row = rows[index] ?? {};
      const hours = ((row.to ?? 0) - (row.from ?? 0)) / HOUR_MS;
      const fastest = Math.max(...drive.map(({ speed }) => speed));
      expectLength(row.length, lengthOf(drive));
      expect(row.time).toBe(Math.round(hours * 3600));
      expect(row.max_speed).toBe(fastest);
      const average = hours > 0 ? Math.min(fastest, lengthOf(drive) / hours) : 0;
      expect(Math.abs((row.avg_speed ?? 0) - average)).toBeLessThanOrEqual(0.5 + average * 0.005);
    }
    const expected = { Trips: drives.length, "Travel time": Math.round(milliseconds / MINUTE_MS) };
    expect(namedValues(summary)).toMatchObject(expected);
    expectLength(namedValues(summary)["Total trips length, km"], sum(drives, lengthOf));
    const engine = runsOf(steps, ({ inputs }) => inputs[0] === true).map(spanOf);
    const halts = spans.slice(1).map(({ from: to }, index) => ({ from: spans[index]?.to ?? 0, to }));
    expect(rawRows(stops).map(({ start, duration, engine }) => [start, duration, engine])).toEqual(
      halts.map((halt) => [
        halt.from,
        Math.round((halt.to - halt.from) / 1000),
        Math.round(overlapMs(halt, engine) / 1000),
      ]),
    );
  });

  test("shifts and regions divide the trips, and add up to all of them", async () => {
    const shifts = [
      { name: "Early", start_time: "06:00", end_time: "08:10" },
      { name: "Day", start_time: "08:10", end_time: "20:00" },
      { name: "Night", start_time: "20:00", end_time: "06:00" },
    ];
    const [[_rows, byShift], [countries]] = await reports(
      { plugin_id: 77, shifts, filter: false },
      { plugin_id: 73, group_type: "country", filter: false },
    );
    const early = [0, 1, 2].map((day) => {
      const midnight = MIDNIGHT + day * DAY_MS;
      return { from: midnight + 6 * HOUR_MS, to: midnight + 8 * HOUR_MS + 10 * MINUTE_MS };
    });
    const [lengths, times] = rawRows(byShift);
    expect(times?.shift_0).toBe(Math.round(sum(spans, (span) => overlapMs(span, early)) / 1000));
    expectLength((lengths?.shift_0 ?? 0) + (lengths?.shift_1 ?? 0) + (lengths?.shift_2 ?? 0), sum(drives, lengthOf), 3);
    expect(totalOf(countries, "time")).toBe(Math.round(milliseconds / 1000));
    expectLength(totalOf(countries, "mileage"), sum(drives, lengthOf), countries.data.length * 3);
  });

  test("engine hours and working times of equipment are those of the points' inputs", async () => {
    const engine = runsOf(steps, ({ inputs }) => inputs[0] === true).filter(
      (run) => spanOf(run).to - spanOf(run).from >= MINUTE_MS,
    );
    const [[_days, runs, summary], [_rows, worked]] = await reports(
      { plugin_id: 7, show_detailed: true, filter: false },
      { ...ofSensor(12, "pump"), min_working_period_duration: 5 },
    );
    expect(rawRows(runs).map(({ start, end }) => ({ from: start, to: end }))).toEqual(engine.map(spanOf));
    const ways = engine.flat().map(({ from, to }) => driven(from, to));
    const hours = sum(engine.map(spanOf), ({ from, to }) => to - from);
    const moved = sum(engine.map(spanOf), (span) => overlapMs(span, spans));
    expect(namedValues(summary)).toMatchObject({
      "Engine hours": Math.round(hours / MINUTE_MS),
      "In movement": Math.round(moved / MINUTE_MS),
      Idling: Math.round((hours - moved) / MINUTE_MS),
      Intervals: engine.length,
    });
    expectLength(
      namedValues(summary)["Mileage, km"],
      sum(ways, (way) => way),
    );
    const pump = runsOf(steps, ({ inputs }) => inputs[1] === true).filter(
      (run) => spanOf(run).to - spanOf(run).from >= 5000,
    );
    expect(rawRows(worked).map(({ start, time }) => [start, time])).toEqual(
      pump.map(spanOf).map(({ from, to }) => [from, Math.round((to - from) / 1000)]),
    );
  });

  test("the reports of points, speeding and eco driving are those of the points' speeds and inputs", async () => {
    const day = { from: RANGE.from, to: writeUtc(MIDNIGHT + DAY_MS - 1000) };
    const [points] = await sectionsOf(account, tracker.id, { plugin_id: 91 }, day);
    const ofDay = fixes.filter(({ time }) => time < MIDNIGHT + DAY_MS);
    expect(rawRows(points).map(({ time, speed }) => [time, speed])).toEqual(
      ofDay.map(({ time, speed }) => [time, speed]),
    );
    const fast = rowsOf(fixes, ({ speed }) => speed > 25);
    const eco = { speed_limit: 25, speeding_penalties: { 1: 3 }, min_speeding_duration: 0, min_idling_duration: 1 };
    const [[speeding], [_rows, penalties]] = await reports(
      { plugin_id: 27, max_speed: 25, filter: false },
      { plugin_id: 46, ...eco },
    );
    const lasting = fast.filter((row) => (row.at(-1)?.time ?? 0) > (row[0]?.time ?? 0));
    expect(
      rawRows(speeding).map(({ start, duration, avg_speed, max_speed }) => [start, duration, avg_speed, max_speed]),
    ).toEqual(
      lasting.map((row) => [
        row[0]?.time,
        Math.round(((row.at(-1)?.time ?? 0) - (row[0]?.time ?? 0)) / 1000),
        Math.round(sum(row, ({ speed }) => speed) / row.length),
        Math.max(...row.map(({ speed }) => speed)),
      ]),
    );
    const idle = rowsOf(fixes, ({ speed, inputs }) => speed < 3 && inputs[0] === true);
    expect(namedValues(penalties)).toMatchObject({
      Speeding: fast.length * 3,
      Idling: idle.filter((row) => (row.at(-1)?.time ?? 0) - (row[0]?.time ?? 0) >= MINUTE_MS).length * 5,
    });
    expectLength(
      namedValues(penalties)["Mileage, km"],
      sum(steps, ({ from, to }) => driven(from, to)),
    );
  });

  test("readings, fuel that was filled in and used, and flow are those of the points' attributes", async () => {
    const shown = fixes.map(({ attributes }) => (attributes.ext_temp_sensor_1 ?? 0) / 10);
    const [byDay, byReading, [_rows, fuel], [_fillings, refuels], [flow]] = await reports(
      ...[ofSensor(9, "temperature"), ofSensor(22, "temperature")],
      ...[{ plugin_id: 10, filter: false }, { plugin_id: 95 }, { plugin_id: 78, filter: false }],
    );
    for (const [days] of [byDay, byReading]) {
      const rows = rawRows(days);
      expect(sum(rows, ({ readings }) => readings ?? 0)).toBe(shown.length);
      expect(Math.max(...rows.map(({ max }) => max ?? 0))).toBe(Math.max(...shown));
      expect(Math.min(...rows.map(({ min }) => min ?? 0))).toBe(Math.min(...shown));
      expect(days.data[0].total.avg.raw).toBeCloseTo(sum(shown, (value) => value) / shown.length, 1);
    }
    const levels = fixes.map(({ attributes }) => attributes.lls_level_1 ?? 0);
    const [first, last] = [levels[0] ?? 0, levels.at(-1) ?? 0];
    const filled = Math.max(...levels.slice(1).map((level, index) => level - (levels[index] ?? 0)));
    expect(totalOf(fuel, "filled")).toBeCloseTo(filled, 1);
    expect(totalOf(fuel, "consumed")).toBeCloseTo(first - last + filled, 1);
    expect(totalOf(refuels, "filled")).toBeCloseTo(filled, 1);
    expect(totalOf(refuels, "consumed")).toBeCloseTo(first - last + filled, 1);
    const flowed = sum(steps, ({ from, to }) => (to.attributes.flow_1 ?? 0) - (from.attributes.flow_1 ?? 0));
    expect(totalOf(flow, "consumed")).toBe(flowed);
  });

  test("explained rows name points and tracks that the drive has", async () => {
    const middle = fixes[Math.floor(fixes.length / 2)] ?? { lat: 0, lng: 0 };
    const zone = { type: "circle", label: "Here", center: { lat: middle.lat, lng: middle.lng }, radius: 250 };
    const { id: zone_id } = await account.must("/zone/create", { zone });
    const { list } = await account.must("/track/list", { tracker_id: tracker.id, ...RANGE, filter: false });
    const tracks = new Set(list.map(({ id }: Reply) => id));
    const shifts = [{ name: "Whole", start_time: "00:00", end_time: "23:59" }];
    const named = (name: string) => ({ sensors: [{ tracker_id: tracker.id, sensor_id: sensors[name] }] });
    const plugins: (Record<string, unknown> & { plugin_id: number })[] = [
      ...[{ plugin_id: 4 }, { plugin_id: 6 }, { plugin_id: 77, shifts }, { plugin_id: 73 }, { plugin_id: 91 }],
      ...[
        { plugin_id: 7, show_detailed: true },
        { plugin_id: 12, ...named("pump") },
      ],
      ...[9, 22].map((plugin_id) => ({ plugin_id, ...named("temperature") })),
      ...[{ plugin_id: 10 }, { plugin_id: 95 }, { plugin_id: 78 }, { plugin_id: 27, max_speed: 25 }],
      { plugin_id: 46, speed_limit: 25, speeding_penalties: { 1: 3 }, min_speeding_duration: 0 },
      ...[8, 84].map((plugin_id) => ({ plugin_id, zone_ids: [zone_id], min_minutes_in_zone: 1 })),
    ];
    const orders = plugins.map((plugin) => {
      const range = plugin.plugin_id === 91 ? DAY : RANGE;
      return { trackers: [tracker.id], plugin: { filter: false, ...plugin }, ...range };
    });
    const tables = await explainedTablesOfAll(account, orders);
    let rows = 0;
    for (const [index, plugin] of plugins.entries()) {
      for (const source of tables[index]?.flatMap(sourcesOfValues) ?? []) {
        const label = JSON.stringify([plugin, source]);
        rows++;
        expect(source.from, label).toBeLessThanOrEqual(source.to);
        expect(
          fixes.some(({ time }) => time >= source.from && time <= source.to) || plugin.plugin_id === 77,
          label,
        ).toBe(true);
        for (const { time, lat, lng } of source.points) {
          const fix = fixes.find((one) => one.time === time);
          expect([fix?.lat, fix?.lng], label).toEqual([expect.closeTo(lat, 5), expect.closeTo(lng, 5)]);
        }
        expect(source.point_count, label).toBeGreaterThan(0);
        if (plugin.plugin_id <= 4) expect(source.track_ids, label).not.toEqual([]);
        for (const id of source.track_ids) expect(tracks, label).toContain(id);
        if (plugin.plugin_id === 8) expect(source.record_ids).toEqual([zone_id]);
      }
    }
    expect(rows).toBeGreaterThan(10);
  });

  test("visits of a zone and of a place begin and end with the points inside", async () => {
    const middle = fixes[Math.floor(fixes.length / 2)] ?? { lat: 0, lng: 0 };
    const center = { lat: middle.lat, lng: middle.lng };
    const zone = { type: "circle", label: "Yard", center, radius: 250 };
    const { id: zone_id } = await account.must("/zone/create", { zone });
    const place = { label: "Depot", location: { ...center, address: "", radius: 250 } };
    const { id: place_id } = await account.must("/place/create", { place });
    const inside = fixes.map((fix) => between(fix, center) <= 0.25);
    const entries = fixes.filter((_, index) => inside[index] && !inside[index - 1]);
    const exits = fixes.filter((_, index) => !inside[index] && inside[index - 1]);
    const tables = await reports(
      { plugin_id: 8, zone_ids: [zone_id] },
      { plugin_id: 85, place_ids: [place_id], min_minutes_in_place: 1 },
      { plugin_id: 84, zone_ids: [zone_id], min_minutes_in_zone: 1 },
    );
    for (const [index, [table]] of tables.entries()) {
      const least = index === 0 ? 0 : MINUTE_MS;
      const expected = entries
        .map((entry, index) => [entry.time, exits[index]?.time ?? fixes.at(-1)?.time ?? 0] as const)
        .filter(([from, to]) => to - from >= least);
      expect(rawRows(table).map(({ entry, duration }) => [entry, duration])).toEqual(
        expected.map(([from, to]) => [from, Math.round((to - from) / 1000)]),
      );
      expect(textRows(table).every(({ name }) => name === "Yard" || name === "Depot")).toBe(true);
    }
  });
});

/** The sources of rows that show a value: rows without one have no points. */
function sourcesOfValues(table: Reply): Reply[] {
  const rows = rawRows(table);
  return sourcesOf(table).filter((_, index) => Object.values(rows[index] ?? {}).some((raw) => raw !== 0));
}
