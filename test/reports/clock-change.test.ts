import { beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, newAccount, type Reply } from "../tool/call/account.ts";
import { effort } from "../tool/effort.ts";
import {
  driven,
  drivesOf,
  type Fix,
  type LocalClock,
  lengthOf,
  localClock,
  rowsOf,
  runsOf,
  type Step,
  spanOf,
  stepsOf,
  sum,
  type TimeFilter,
  windowOf,
} from "../tool/report/plain.ts";
import {
  expectLength,
  namedValues,
  rawRows,
  sectionsOfAll,
  sendAll,
  textRows,
  totalOf,
} from "../tool/report/report.ts";

const ALWAYS: TimeFilter = { from: "00:00:00", to: "23:59:59", weekdays: [1, 2, 3, 4, 5, 6, 7] };
const FILTERS: [string, TimeFilter][] = [
  ["always", ALWAYS],
  ["in the night of weekends", { from: "22:00:00", to: "02:29:59", weekdays: [5, 6] }],
  ["on days that are whole", { ...ALWAYS, weekdays: [6, 7, 1] }],
  ["in the small hours", { from: "01:10:00", to: "03:20:59", weekdays: [1, 2, 3, 4, 5, 6, 7] }],
];

/** The number of nights; clocks change in their middle. */
const NIGHTS = effort({ few: 6, many: 28 });

/**
 * Each night it drives from ten in the evening on, for an hour, stands for fifty minutes with the engine on and off, and
 * drives on for five hours: a point a minute.
 */
function nightsFrom(first: number): Fix[] {
  return Array.from({ length: NIGHTS }, (_, night) => {
    const start = first + night * DAY_MS + 22 * HOUR_MS;
    return Array.from({ length: 7 * 60 }, (_, minute): Fix => {
      const stands = minute >= 60 && minute < 110;
      const driven = minute < 60 ? minute : stands ? 60 : minute - 50;
      const speed = stands ? 0 : 40 + ((minute + night) % 50);
      const inputs = [!stands || minute < 80, minute % 30 < 20];
      const attributes = { ext_temp_sensor_1: ((minute + night) % 90) + 10, flow_1: night * 1000 + minute * 2 };
      return { time: start + minute * MINUTE_MS, lat: 50 + driven * 0.008, lng: 8, speed, inputs, attributes };
    });
  }).flat();
}

// The zones lie in both hemispheres: one's last change was in spring, the other's in autumn.
describe.each(["Europe/Berlin", "Australia/Sydney"])("around the last change of clocks in %s", (zone) => {
  const CLOCK = localClock(zone);
  /** The last midnight, three weeks ago or more, behind which a day of 23 or 25 hours began. */
  const CHANGE = lastChange(CLOCK, Math.floor(systemNow() / HOUR_MS) * HOUR_MS - 21 * DAY_MS);
  const FIRST = CHANGE - (NIGHTS / 2) * DAY_MS;
  const fixes = nightsFrom(FIRST);
  const drives = drivesOf(fixes);
  let account: Account;
  let tracker: Reply;
  const sensors: Record<string, number> = {};

  beforeAll(async () => {
    account = await newAccount({ time_zone: zone });
    tracker = await account.newTracker();
    for (const [name, sensor] of Object.entries({
      temperature: { type: "metering", sensor_type: "temperature", input_name: "ext_temp_sensor_1", divider: 10 },
      flow: { type: "metering", sensor_type: "flow_meter", input_name: "flow_1", divider: 1 },
      pump: { type: "discrete", sensor_type: "custom", input_number: 2 },
    })) {
      const made = { tracker_id: tracker.id, sensor: { name, ...sensor } };
      sensors[name] = (await account.must("/tracker/sensor/create", made)).id;
    }
    await sendAll(tracker.source.device_id, fixes);
  });

  const RANGE = { from: CLOCK.textOf(FIRST), to: CLOCK.textOf(FIRST + (NIGHTS + 1) * DAY_MS + 12 * HOUR_MS) };
  const reports = (plugins: object[], time_filter: TimeFilter = ALWAYS) =>
    sectionsOfAll(account, tracker.id, plugins, { ...RANGE, time_filter });

  /** Steps within one window: days that follow on each other are one. */
  function stepsWithin(filter: TimeFilter) {
    const isWhole = filter.from === ALWAYS.from && filter.to === ALWAYS.to;
    const windows = new Map(fixes.map(({ time }) => [time, windowOf(time, filter, CLOCK)]));
    return stepsOf(fixes, (from, to) => {
      const [first = null, last = null] = [windows.get(from), windows.get(to)];
      return first !== null && last !== null && (isWhole || first === last);
    });
  }

  const secondsOf = (run: Step[]) => (spanOf(run).to - spanOf(run).from) / 1000;

  test.each(FILTERS)("trips, engine hours and speeding (%s) are those of the local clock", async (_, filter) => {
    const isWithin = (ms: number) => windowOf(ms, filter, CLOCK) !== null;
    const begun = drives.filter(([first]) => isWithin(first?.time ?? 0));
    const plugins = [{ plugin_id: 4 }, { plugin_id: 7 }, { plugin_id: 27, max_speed: 70 }];
    const [[trips], [hours], [speeding]] = await reports(plugins, filter);
    expect(rawRows(trips).map(({ from }) => from)).toEqual(begun.map(([first]) => first?.time));
    expect(totalOf(trips, "time")).toBe(
      sum(begun, (drive) => ((drive.at(-1)?.time ?? 0) - (drive[0]?.time ?? 0)) / 1000),
    );
    expectLength(totalOf(trips, "length"), sum(begun, lengthOf), begun.length);

    const steps = stepsWithin(filter);
    const engine = runsOf(steps, ({ inputs }) => inputs[0] === true).filter((run) => secondsOf(run) >= 60);
    const expected = new Map<string, number>();
    for (const { from } of engine.flat()) {
      const day = CLOCK.dayOf(from.time);
      expected.set(day, (expected.get(day) ?? 0) + 60);
    }
    expect(rawRows(hours).map(({ day, hours }) => [CLOCK.dayOf(day ?? 0), hours])).toEqual([...expected]);
    expect(totalOf(hours, "intervals")).toBe(engine.length);
    expectLength(
      totalOf(hours, "mileage"),
      sum(engine.flat(), ({ from, to }) => driven(from, to)),
      expected.size,
    );

    const fast = rowsOf(fixes, ({ speed }) => speed > 70)
      .flatMap((row) => rowsOf(row, ({ time }) => isWithin(time)))
      .filter((row) => row.length > 1);
    expect(rawRows(speeding).map(({ start, duration }) => [start, duration])).toEqual(
      fast.map((row) => [row[0]?.time, (row.length - 1) * 60]),
    );
  });

  test.each(FILTERS)("equipment, readings and flow (%s) are those of the local clock", async (_, filter) => {
    const within = fixes.filter(({ time }) => windowOf(time, filter, CLOCK) !== null);
    const sensorOf = (name: string) => ({ sensors: [{ tracker_id: tracker.id, sensor_id: sensors[name] }] });
    const pump = runsOf(stepsWithin(filter), ({ inputs }) => inputs[1] === true).filter((run) => secondsOf(run) >= 300);
    const plugins = [
      { plugin_id: 12, min_working_period_duration: 300, ...sensorOf("pump") },
      { plugin_id: 22, details_interval_seconds: 1800, ...sensorOf("temperature") },
      { plugin_id: 78 },
    ];
    const [[worked], [byDay, intervals], [flow]] = await reports(plugins, filter);
    expect(totalOf(worked, "time")).toBe(sum(pump, secondsOf));
    expect(totalOf(worked, "count")).toBe(pump.length);

    const days = Map.groupBy(within, ({ time }) => CLOCK.dayOf(time));
    const shown = rawRows(byDay).map(({ day, min, max, avg, readings }) => [
      CLOCK.dayOf(day ?? 0),
      min,
      max,
      avg,
      readings,
    ]);
    expect(shown).toEqual(
      [...days].map(([day, ofDay]) => {
        const values = ofDay.map(({ attributes }) => (attributes.ext_temp_sensor_1 ?? 0) / 10);
        const average = sum(values, (value) => value) / values.length;
        return [day, Math.min(...values), Math.max(...values), Math.round(average * 100) / 100, values.length];
      }),
    );
    expect(sum(rawRows(intervals), ({ readings }) => readings ?? 0)).toBe(within.length);
    expect(Math.max(...rawRows(intervals).map(({ readings }) => readings ?? 0))).toBeLessThanOrEqual(30);

    const flowed = sum(
      stepsWithin(filter),
      ({ from, to }) => (to.attributes.flow_1 ?? 0) - (from.attributes.flow_1 ?? 0),
    );
    expect(totalOf(flow, "consumed")).toBe(flowed);
  });

  test("sensor readings are grouped by real hours, also where the local clock shows an hour twice", async () => {
    const chosen = { sensors: [{ tracker_id: tracker.id, sensor_id: sensors.temperature }] };
    const [[_rows, intervals]] = await reports([{ plugin_id: 22, details_interval_seconds: 3600, ...chosen }]);
    const hours = Map.groupBy(fixes, ({ time }) => Math.floor(time / HOUR_MS));
    expect(rawRows(intervals).map(({ time, readings }) => [time, readings])).toEqual(
      [...hours.values()].map((ofHour) => [ofHour[0]?.time, ofHour.length]),
    );
  });

  test("shifts and penalties of all nights add up to those of their minutes", async () => {
    const shifts = [
      { name: "Late", start_time: "14:00", end_time: "23:00" },
      { name: "Night", start_time: "23:00", end_time: "03:30" },
      { name: "Early", start_time: "03:30", end_time: "14:00" },
    ];
    const minutes = drives.flatMap((drive) => drive.slice(0, -1));
    const inShift = ({ start_time, end_time }: { start_time: string; end_time: string }) => {
      const filter = { from: `${start_time}:00`, to: `${end_time}:00`, weekdays: ALWAYS.weekdays };
      return minutes.filter(({ time }) => windowOf(time, filter, CLOCK) && !CLOCK.timeOf(time).startsWith(end_time))
        .length;
    };
    const [whole, split, [_rows, penalties]] = await reports([
      { plugin_id: 77, shifts, split_at_midnight: false },
      { plugin_id: 77, shifts, split_at_midnight: true },
      {
        ...{ plugin_id: 46, speed_limit: 60, speeding_penalties: { 5: 1, 20: 4 }, min_speeding_duration: 2 },
        ...{ idling_penalty: 3, min_idling_duration: 10 },
      },
    ]);
    for (const [_rows, byShift] of [whole, split]) {
      const [_lengths, times] = rawRows(byShift);
      expect([times?.shift_0, times?.shift_1, times?.shift_2]).toEqual(shifts.map((shift) => inShift(shift) * 60));
    }
    const fast = rowsOf(fixes, ({ speed }) => speed > 60).filter((row) => row.length > 2);
    const peaks = fast.map((row) => Math.max(...row.map(({ speed }) => speed)) - 60);
    const idle = rowsOf(fixes, ({ speed, inputs }) => speed === 0 && inputs[0] === true);
    expect(namedValues(penalties)).toMatchObject({
      Speeding: sum(peaks, (over) => (over >= 20 ? 4 : over >= 5 ? 1 : 0)),
      Idling: idle.filter((row) => row.length > 10).length * 3,
    });
  });

  test("regions have the trips' times of each day, and a day's rows stand under that day", async () => {
    const [[countries], [trips]] = await reports([{ plugin_id: 73, group_type: "country" }, { plugin_id: 4 }]);
    const steps = drives.flatMap((drive) => stepsOf(drive));
    const expected = new Map<string, number>();
    for (const { to } of steps) expected.set(CLOCK.dayOf(to.time), (expected.get(CLOCK.dayOf(to.time)) ?? 0) + 60);
    const shown = new Map<string, number>();
    for (const { day, time } of rawRows(countries)) {
      const key = CLOCK.dayOf(day ?? 0);
      shown.set(key, (shown.get(key) ?? 0) + (time ?? 0));
    }
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
    expect(textRows(trips).map(({ from }) => from?.slice(0, 5))).toEqual(
      drives.map(([first]) => CLOCK.timeOf(first?.time ?? 0).slice(0, 5)),
    );
    const days = new Set(drives.map(([first]) => CLOCK.dayOf(first?.time ?? 0)));
    expect(trips.data).toHaveLength(days.size);
  });
});

function lastChange({ timeOf }: LocalClock, from: number) {
  for (let ms = from; ; ms -= HOUR_MS) {
    if (timeOf(ms) === "00:00:00" && timeOf(ms + DAY_MS) !== "00:00:00") return ms;
  }
}
