import { expect, test } from "vitest";
import { chanceOf } from "../../../../../test/tool/chance.ts";
import {
  BEGIN,
  circle,
  evaluateRules,
  eventTimes,
  figure,
  pointAt,
  ruleOf,
} from "../../../../../test/tool/point/rules.ts";
import type { Attributes, NearZone, WatchedRule } from "../../object/watched-rule.ts";
import type { Point } from "../../point/point.ts";

const GATE = ruleOf({ type: "inoutzone", isZoned: true });
const AT_ONCE = { ...GATE, extended: { confirm_points: 1 } };
const drive = (from: number, to: number, speed = 50) =>
  Array.from({ length: to - from }, (_, index) =>
    pointAt((from + index) * 60, 50 + (from + index) * 0.0075, 8, { speed }),
  );
const square = (from: number, to: number): [number, number][] => [
  [8 + from - 50, from],
  [8 + to - 50, from],
  [8 + to - 50, to],
  [8 + from - 50, to],
];
const stand = (from: number, to: number, lat: number) =>
  Array.from({ length: to - from }, (_, index) => pointAt((from + index) * 60, lat, 8, { speed: 0 }));

test("a place on a zone's border is inside", () => {
  const zone = figure("polygon", square(50, 51));
  expect(
    eventTimes(
      evaluateRules([AT_ONCE], [pointAt(0, 49.9, 8.5), pointAt(600, 50, 8.5), pointAt(1200, 49.99, 8.5)], [zone]),
    ),
  ).toEqual([
    ["inzone", 600],
    ["outzone", 1200],
  ]);
});

test("a zone's hole is outside: driving into it leaves the zone, driving over its rim enters and leaves it", () => {
  const zone = { ...figure("polygon", square(50, 50.04)), holes: [square(50.01, 50.03)] };
  const at = (seconds: number, lat: number) => pointAt(seconds, lat, 8.02, { speed: 60 });
  const points = [at(0, 49.99), at(60, 50.005), at(120, 50.02), at(180, 50.035), at(240, 50.05)];
  expect(eventTimes(evaluateRules([GATE], points, [zone]))).toEqual([
    ["inzone", 60],
    ["outzone", 120],
    ["inzone", 180],
    ["outzone", 240],
  ]);
  const passing = [at(0, 49.999), at(60, 50.012)];
  const [entered] = eventTimes(evaluateRules([GATE], passing, [zone]));
  expect(entered?.[0]).toBe("inzone");
});

test("zones over the date line, around a pole and of 300 km are entered and left", () => {
  const across = circle(0, 179.99, 3000);
  expect(
    eventTimes(
      evaluateRules([AT_ONCE], [pointAt(0, 0, 179.9), pointAt(600, 0, -179.99), pointAt(1200, 0, -179.9)], [across]),
    ),
  ).toEqual([
    ["inzone", 600],
    ["outzone", 1200],
  ]);
  const polar = circle(89.99, 0, 5000);
  expect(
    eventTimes(
      evaluateRules([AT_ONCE], [pointAt(0, 89.9, 10), pointAt(6000, 89.99, 179), pointAt(12_000, 89.9, 100)], [polar]),
    ),
  ).toEqual([
    ["inzone", 6000],
    ["outzone", 12_000],
  ]);
  const wide = circle(50, 8, 300_000);
  expect(
    eventTimes(evaluateRules([AT_ONCE], [pointAt(0, 53, 8), pointAt(6000, 52.6, 8), pointAt(12_000, 52.8, 8)], [wide])),
  ).toEqual([
    ["inzone", 6000],
    ["outzone", 12_000],
  ]);
});

test("a concave zone is left in its notch", () => {
  const notched = figure("polygon", [
    [8, 50],
    [8.3, 50],
    [8.3, 50.3],
    [8.15, 50.1],
    [8, 50.3],
  ]);
  const points = [pointAt(0, 50.05, 8.15), pointAt(1000, 50.2, 8.15), pointAt(2000, 50.2, 8.03)];
  expect(eventTimes(evaluateRules([AT_ONCE], points, [notched]))).toEqual([
    ["outzone", 1000],
    ["inzone", 2000],
  ]);
});

test("a zone that lies between two fixes is entered and left, unless the fixes are an hour apart", () => {
  const small = circle(50.0075, 8.0001, 60);
  const [first, second] = [pointAt(0, 50, 8, { speed: 50 }), pointAt(120, 50.015, 8, { speed: 50 })];
  const findings = evaluateRules([AT_ONCE], [first, second], [small]);
  expect(eventTimes(findings)).toEqual([
    ["inzone", 60],
    ["outzone", 120],
  ]);
  // The way between two fixes an hour apart is unknown.
  expect(evaluateRules([AT_ONCE], [first, { ...second, time: first.time + 3_600_000 }], [small])).toEqual([]);
});

test("zones that are entered at one moment are one event, which names them", () => {
  const zones = [circle(50, 8, 400, 5), circle(50, 8.001, 400, 3)];
  const findings = evaluateRules([AT_ONCE], [pointAt(0, 50, 7.9), pointAt(600, 50, 8)], zones);
  expect(findings.map((one) => one.zones.map(({ id }) => id))).toEqual([[3, 5]]);
});

test("a zone that holds the tracker when its rule begins gives no event", () => {
  expect(evaluateRules([GATE], [pointAt(0, 50, 8), pointAt(60, 50, 8)], [circle(50, 8, 400)])).toEqual([]);
});

test("a rule's reset lies between its events, and events of one moment are all given", () => {
  const zone = circle(50, 8, 400);
  const [outside, inside] = [[50, 7.9] as const, [50, 8] as const];
  const points = [pointAt(0, ...outside), pointAt(600, ...inside), pointAt(630, ...outside), pointAt(700, ...inside)];
  expect(eventTimes(evaluateRules([AT_ONCE], points, [zone]))).toEqual([
    ["inzone", 600],
    ["inzone", 700],
  ]);
});

const THERMOMETER = {
  sensor: {
    ...{ type: "metering" as const, id: 4, sensor_type: "temperature", name: "Cold", input_name: "t" },
    ...{ group_type: null, divider: 1, accuracy: 5, units: "", units_type: "custom", parameters: {} },
  },
  ...{ curve: [], parts: [] },
};
test.each<[string, number, Partial<WatchedRule> & Pick<WatchedRule, "type">, Partial<Point>, Partial<Point>]>([
  ["speedup", 900, { type: "speedup", param: 80 }, { speed: 50 }, { speed: 90 }],
  ["input_change", 10, { type: "input_change", param: 2 }, { inputs: 0 }, { inputs: 2 }],
  ["output_change", 10, { type: "output_change", param: 1 }, telling({ out1: false }), telling({ out1: true })],
  ["driver_change", 10, { type: "driver_change" }, telling({ hardware_key: "a" }), telling({ hardware_key: "b" })],
  [
    ...(["state_field_control", 300] as const),
    { type: "state_field_control", extended: { state_field: "door", trigger_value: "open" } },
    ...([telling({ door: "shut" }), telling({ door: "open" })] as const),
  ],
  [
    ...(["sensor_range", 10] as const),
    { type: "sensor_range", extended: { min: 0, max: 9, threshold: 0 }, gauge: THERMOMETER },
    ...([telling({ t: 5 }), telling({ t: 50 })] as const),
  ],
])("a rule of type %s gives its next event after %i s, not before", (_, seconds, rule, quiet, loud) => {
  // The condition starts to hold, stops, and starts to hold again `apart` seconds after the first time.
  const begins = (apart: number) => {
    const moments: [number, Partial<Point>][] = [
      [-2000, quiet],
      [0, loud],
      [apart / 2, quiet],
      [apart, loud],
    ];
    const points = moments.map(([at, given]) => pointAt(at, 50, 8 + at / 1e5, given));
    return evaluateRules([ruleOf(rule)], points).filter(({ time }) => [0, apart * 1000].includes(time - BEGIN)).length;
  };
  expect([begins(seconds - 1), begins(seconds)]).toEqual([1, 2]);
});

test("sensor, input and driver rules give events without a fix too, when zones limit them", () => {
  const zone = circle(51, 8, 1000);
  const rules = [
    ruleOf({ type: "input_change", param: 1, isZoned: true }),
    ruleOf({ type: "driver_change", isZoned: true }),
    ruleOf({ type: "sensor_range", isZoned: true, extended: { min: 0, max: 9 }, gauge: THERMOMETER }),
    ruleOf({ type: "speedup", param: 10, isZoned: true }),
  ];
  const changed = { inputs: 1, speed: 50, attributes: { hardware_key: "b", t: 50 } };
  const events = (gsm_lbs: boolean) =>
    rules.flatMap((rule) => {
      const before = pointAt(0, 50, 8, { inputs: 0, speed: 0, attributes: { hardware_key: "a", t: 5 } });
      return eventTimes(evaluateRules([rule], [before, pointAt(60, 50, 8, { ...changed, gsm_lbs })], [zone]));
    });
  expect(events(false)).toEqual([]);
  expect(events(true)).toEqual([
    ["input_change", 60],
    ["driver_changed", 60],
    ["sensor_outrange", 60],
  ]);
});

test("a vehicle parked on a border with fixes scattered by 200 m gives no events, unless a rule asks for every fix", () => {
  for (let seed = 1; seed <= 10; seed++) {
    const chance = chanceOf(seed);
    const zone = circle(50, 8, 1000);
    const arrival = Array.from({ length: 10 }, (_, index) => pointAt(index * 60, 50.08 - index * 0.0075, 8));
    // On the border, 1000 m to the north of the center.
    const scattered = Array.from({ length: 1000 }, (_, index) => {
      const [angle, meters] = [chance() * 2 * Math.PI, 200 * Math.sqrt(chance())];
      const [lng, lat] = [8 + (meters * Math.sin(angle)) / 71_700, 50.00899 + (meters * Math.cos(angle)) / 111_200];
      return pointAt(600 + index * 30, lat, lng, { speed: index % 3 === 0 ? null : 0 });
    });
    const points = [...arrival, ...scattered];
    expect(evaluateRules([GATE], points, [zone]).length).toBeLessThanOrEqual(1);
    expect(evaluateRules([AT_ONCE], points, [zone]).length).toBeGreaterThan(100);
  }
});

test("a zone rule confirms its events by points, seconds, meters and precision", () => {
  const zone = circle(50, 8, 1000);
  const lats = [50.1, 50, 50, 50, 50.0095, 50.012, 50.012];
  const points = lats.map((lat, index) => pointAt(index * 100, lat, 8, { precision: index === 1 ? 80 : 5 }));
  const events = (extended: WatchedRule["extended"]) =>
    eventTimes(evaluateRules([{ ...GATE, extended }], points, [zone]));
  expect(events({ confirm_points: 1 })).toEqual([
    ["inzone", 100],
    ["outzone", 400],
  ]);
  expect(events({ confirm_points: 3 })).toEqual([
    ["inzone", 100],
    ["outzone", 400],
  ]);
  expect(events({ confirm_points: 4 })).toEqual([]);
  expect(events({ min_dwell_seconds: 201 })).toEqual([]);
  expect(events({ exit_margin_meters: 100 })).toEqual([
    ["inzone", 100],
    ["outzone", 500],
  ]);
  expect(events({ confirm_points: 1, max_precision_meters: 50 })).toEqual([
    ["inzone", 200],
    ["outzone", 400],
  ]);
});

test.each([
  ["a polygon", figure("polygon", square(50, 50.02))],
  [
    "a hole",
    {
      ...figure("polygon", square(49, 51)),
      holes: [
        [
          [8, 50.02],
          [8.02, 50.02],
          [8.02, 50.04],
          [8, 50.04],
        ],
      ],
    },
  ],
  [
    "a sausage",
    figure(
      "sausage",
      [
        [8, 50.01],
        [8.01, 50.01],
        [8.02, 50.01],
      ],
      1115,
    ),
  ],
] as [string, NearZone][])("a zone rule leaves %s only beyond the margin around its edge", (_, zone) => {
  const rule = { ...GATE, extended: { exit_margin_meters: 500 } };
  // The edge is at 50.02 degrees; 0.004 are some 445 meters, 0.005 are 556.
  const lats = [50.01, 50.024, 50.01, 50.024, 50.025, 50.02];
  const points = lats.map((lat, index) => pointAt(index * 100, lat, 8.01, { speed: 20 }));
  expect(eventTimes(evaluateRules([rule], points, [zone]))).toEqual([
    ["outzone", 400],
    ["inzone", 500],
  ]);
});

test("a speeding rule gives an event when speeding begins, within or outside the zones that limit it", () => {
  const rule = ruleOf({ type: "speedup", param: 80 });
  const speeds = [70, 90, 95, 70, 100];
  const points = speeds.map((speed, index) => pointAt(index * 600, 50 + index * 0.1, 8, { speed }));
  expect(eventTimes(evaluateRules([rule], points))).toEqual([
    ["speedup", 600],
    ["speedup", 2400],
  ]);
  const zone = circle(50.4, 8, 1000);
  expect(eventTimes(evaluateRules([{ ...rule, isZoned: true }], points, [zone]))).toEqual([["speedup", 2400]]);
  const inverted = { ...rule, isZoned: true, extended: { zone_limit_inverted: true } };
  expect(eventTimes(evaluateRules([inverted], points, [zone]))).toEqual([["speedup", 600]]);
});

test("a rule's schedule follows the wall clock of the account's time zone, also when clocks change", () => {
  const weekly = { weekday: 1, time: "10:30:00" };
  const schedule = [{ type: "weekly" as const, interval_id: 1, from: weekly, to: { weekday: 1, time: "11:00:00" } }];
  const rule = ruleOf({ type: "speedup", param: 80, schedule, time_zone: "Europe/Berlin" });
  // 10:00, 10:30 and 11:30 in Berlin, on a Monday in summer.
  const points = [0, 1800, 5400].flatMap((second) => [
    pointAt(second, 50, 8, { speed: 50 }),
    pointAt(second + 10, 50, 8, { speed: 100 }),
  ]);
  expect(eventTimes(evaluateRules([rule], points))).toEqual([["speedup", 1810]]);
  const winter = points.map((point) => ({ ...point, time: point.time + 182 * 86_400_000 + 3_600_000 }));
  expect(evaluateRules([rule], winter)).toHaveLength(1);
});

test("a track rule gives a trip's beginning and end, the end also by time alone", () => {
  const rule = ruleOf({ type: "track_change" });
  const points = [...stand(0, 3, 50), ...drive(3, 20), ...stand(20, 22, 50.15)];
  expect(eventTimes(evaluateRules([rule], points))).toEqual([["track_start", 180]]);
  expect(eventTimes(evaluateRules([rule], points, [], 26 * 60))).toEqual([
    ["track_start", 180],
    ["track_end", 19 * 60],
  ]);
  expect(eventTimes(evaluateRules([rule], [...points, ...stand(22, 30, 50.15)]))).toEqual([
    ["track_start", 180],
    ["track_end", 19 * 60],
  ]);
});

test("a parking rule gives its event by time alone, and its end with the next trip", () => {
  const rule = ruleOf({ type: "excessive_parking", extended: { max_parking_duration: 60 } });
  const points = [...drive(0, 10), ...stand(10, 20, 50.07)];
  expect(eventTimes(evaluateRules([rule], points, [], 70 * 60))).toEqual([["excessive_parking", 69 * 60]]);
  const later = drive(90, 95).map((point) => ({ ...point }));
  expect(eventTimes(evaluateRules([rule], [...points, ...later])).map(([event]) => event)).toEqual([
    "excessive_parking",
    "excessive_parking_finished",
  ]);
});

test("a driving-time rule counts over short stops and ends with a rest", () => {
  const rule = ruleOf({ type: "excessive_driving", extended: { max_driving_time: 60, min_parking_time: 30 } });
  const points = [...drive(0, 40), ...stand(40, 50, 50.3), ...drive(50, 80)];
  expect(eventTimes(evaluateRules([rule], points, [], 120 * 60))).toEqual([
    ["excessive_driving_start", 3600],
    ["excessive_driving_end", (79 + 30) * 60],
  ]);
});

test("an idling rule gives its event after its time, and ends with the ignition", () => {
  const rule = ruleOf({ type: "idling_soft", param: 10 });
  const on = (points: ReturnType<typeof stand>, inputs: number) => points.map((point) => ({ ...point, inputs }));
  const points = [...on(drive(0, 10), 1), ...on(stand(10, 30, 50.07), 1), ...on(stand(30, 32, 50.07), 0)];
  expect(eventTimes(evaluateRules([rule], points))).toEqual([
    ["idle_start", 19 * 60],
    ["idle_end", 1800],
  ]);
});

test("input, output and driver rules give an event when the value changes", () => {
  const values: { inputs: number; attributes: Attributes }[] = [
    { inputs: 0, attributes: { out2: false, hardware_key: "a" } },
    { inputs: 4, attributes: { out2: true } },
    { inputs: 4, attributes: { hardware_key: "a" } },
    { inputs: 0, attributes: { output: 0, hardware_key: "b" } },
  ];
  const points = values.map((given, index) => pointAt(index * 60, 50, 8, given));
  const of = (type: "input_change" | "output_change" | "driver_change", param = 0) =>
    evaluateRules([ruleOf({ type, param })], points).map(({ text, time }) => [text, time - (points[0]?.time ?? 0)]);
  expect(of("input_change", 3)).toEqual([
    ["primary", 60_000],
    ["secondary", 180_000],
  ]);
  expect(of("output_change", 2)).toEqual([
    ["primary", 60_000],
    ["secondary", 180_000],
  ]);
  expect(of("driver_change")).toEqual([["primary", 180_000]]);
});

test("a route rule gives an event when the route is left, except at its ends if the rule allows that", () => {
  const line = figure(
    "sausage",
    [
      [8, 50],
      [8.1, 50],
      [8.2, 50],
    ],
    100,
  );
  const rule = ruleOf({ type: "route", isZoned: true });
  const away = [pointAt(0, 50, 8.1, { speed: 50 }), pointAt(60, 50.01, 8.1, { speed: 50 })];
  const out = [pointAt(0, 50, 8.199, { speed: 20 }), pointAt(60, 50, 8.202, { speed: 20 })];
  expect(eventTimes(evaluateRules([rule], away, [line]))).toEqual([["outroute", 60]]);
  expect(eventTimes(evaluateRules([rule], out, [line]))).toEqual([["outroute", 60]]);
  const allowed = { ...rule, extended: { allow_exit_at_endpoints: true } };
  expect(eventTimes(evaluateRules([allowed], away, [line]))).toEqual([["outroute", 60]]);
  expect(eventTimes(evaluateRules([allowed], out, [line]))).toEqual([]);
});

test("a state rule gives an event when the state is reached, and repeats it if the rule allows that", () => {
  const values = ["shut", "open", "open", "open", "shut", "open"];
  const points = values.map((door, index) => pointAt(index * 400, 50, 8, { attributes: { door } }));
  const rule = ruleOf({ type: "state_field_control", extended: { state_field: "door", trigger_value: "open" } });
  expect(evaluateRules([rule], points).map(({ time }) => time)).toEqual([1, 5].map((index) => points[index]?.time));
  const repeated = { ...rule, extended: { ...rule.extended, allow_repeat: true, repeat_delay_seconds: 700 } };
  expect(evaluateRules([repeated], points).map(({ time }) => time)).toEqual(
    [1, 3, 5].map((index) => points[index]?.time),
  );
});

test("a sensor range rule gives events when the range is left and entered by more than the threshold", () => {
  const gauge = THERMOMETER;
  const extended = { min: 2, max: 8, threshold: 0.5 };
  const points = [5, 8.4, 8.6, 7.8, 7.5, 1, 3].map((t, index) => pointAt(index * 60, 50, 8, { attributes: { t } }));
  expect(eventTimes(evaluateRules([ruleOf({ type: "sensor_range", extended, gauge })], points))).toEqual([
    ["sensor_outrange", 120],
    ["sensor_inrange", 240],
    ["sensor_outrange", 300],
    ["sensor_inrange", 360],
  ]);
  expect(eventTimes(evaluateRules([ruleOf({ type: "fuel_level_leap", gauge })], points))).toEqual([["drain", 300]]);
  // The level leaps up half an hour after the drain. Slow rises, and leaps too soon after an event, give no event.
  const levels: [number, number][] = [
    [0, 20],
    [300, 24],
    [960, 27],
    [1900, 31],
    [2000, 60],
    [2600, 20],
    [3500, 20],
    [3600, 40],
  ];
  const fuel = levels.map(([seconds, t]) => pointAt(seconds, 50, 8, { attributes: { t } }));
  expect(eventTimes(evaluateRules([ruleOf({ type: "fuel_level_leap", gauge })], fuel))).toEqual([
    ["fueling", 2000],
    ["fueling", 3600],
  ]);
});

test.each([
  ["sos", { alarm: "sos" }, ["sos"]],
  ["sos", { event: "sos,door_alarm" }, ["sos"]],
  ["sos", { alarm: "door" }, []],
  ["door_alarm", { alarm: "door" }, ["door_alarm"]],
  ["battery_off", { event: "battery_on" }, ["battery_on"]],
  ["over_speed_reported", { alarm: "overspeed" }, ["over_speed_reported"]],
  ["driver_assistance", { event: "headway_warning" }, ["headway_warning"]],
] as const)("a rule of type %s finds in a report of %j the events %j", (type, attributes, events) => {
  const points = [pointAt(0, 50, 8), pointAt(60, 50, 8, { attributes })];
  expect(evaluateRules([ruleOf({ type })], points).map(({ event }) => event)).toEqual(events);
});

test("an alarm rule gives events for the alarms that it enables", () => {
  const rule = ruleOf({
    type: "autocontrol",
    extended: { hood_alarm: { enabled: true }, door_alarm: { enabled: false } },
  });
  const points = [pointAt(0, 50, 8), pointAt(60, 50, 8, { attributes: { event: "hood_alarm,door_alarm,gsm_damp" } })];
  expect(evaluateRules([rule], points).map(({ event }) => event)).toEqual(["hood_alarm"]);
});

function telling(attributes: Attributes): Partial<Point> {
  return { attributes };
}
