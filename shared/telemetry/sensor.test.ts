import { expect, test } from "vitest";
import { calibrate, convert, gaugesOf, gaugeValue, type MeteringSensor, numberOf, virtualValue } from "./sensor.ts";

const level: MeteringSensor = {
  ...{ type: "metering", id: 1, sensor_type: "fuel", name: "Left", input_name: "lls_level_1", group_type: null },
  ...{ divider: 1, accuracy: 0, units: "", units_type: "litre", parameters: {} },
};

test("calibrate is linear from point to point of a curve, and goes on so beyond its ends", () => {
  const curve = [
    { in: 0, out: 0 },
    { in: 10, out: 100 },
    { in: 20, out: 110 },
  ];
  const of = (raw: number, divider = 1) => calibrate(raw, { divider }, curve);
  expect([of(0), of(5), of(10), of(15), of(20), of(30), of(-1)]).toEqual([0, 50, 100, 105, 110, 120, -10]);
  expect(of(50, 10)).toBe(50);
  expect(calibrate(50, { divider: 10 }, [])).toBe(5);
  expect(calibrate(50, { divider: 1 }, [{ in: 3, out: 7 }])).toBe(7);
});

test("numberOf reads a device's value as a number or as null", () => {
  expect(["12.5", 3, "true", false, "-4e2"].map(numberOf)).toEqual([12.5, 3, 1, 0, -400]);
  expect(["", " ", "12 l", null, undefined, "Infinity"].map(numberOf)).toEqual([null, null, null, null, null, null]);
});

test("a composite sensor is the sum or the mean of those of its parts that have a value", () => {
  const right = { ...level, id: 2, input_name: "lls_level_2", divider: 10, parameters: { min: 0, max: 500 } };
  const composite = (group_type: "sum" | "avg") => {
    const parameters = { parent_ids: [1, 2, 3] };
    const sensor: MeteringSensor = { ...level, id: 4, input_name: "composite", group_type, parameters };
    const curve = [
      { in: 0, out: 100 },
      { in: 10, out: 200 },
    ];
    const gauge = gaugesOf([
      { sensor: level, curve },
      { sensor: right, curve: [] },
      { sensor, curve: [] },
    ]).at(-1);
    if (!gauge) throw new Error("three sensors make three gauges");
    return (inputs: Record<string, unknown>) => gaugeValue(gauge, (name) => inputs[name]);
  };
  expect(composite("sum")({ lls_level_1: "5", lls_level_2: 300 })).toBe(180);
  expect(composite("avg")({ lls_level_1: "5", lls_level_2: 300 })).toBe(90);
  // Out of its bounds, a raw value is none.
  expect(composite("avg")({ lls_level_1: "5", lls_level_2: 501 })).toBe(150);
  expect(composite("sum")({})).toBeNull();
});

test("virtualValue tests a range with its ends, passes a value on, or takes a bit", () => {
  const range = { calc_method: "in_range", range_from: 1, range_to: 2 } as const;
  expect([0.9, 1, "2", 2.1, "x"].map((raw) => virtualValue(raw, range))).toEqual(["0", "1", "1", "0", null]);
  expect(virtualValue(9, { calc_method: "in_range", range_from: 1 })).toBe("1");
  expect([7, "open", undefined].map((raw) => virtualValue(raw, { calc_method: "identity" }))).toEqual([
    "7",
    "open",
    null,
  ]);
  const bits = [1, 2, 3, 32].map((bit_index) => virtualValue(2 ** 31 + 5, { calc_method: "bit_index", bit_index }));
  expect(bits).toEqual(["1", "0", "1", "1"]);
});

test("convert gives values in the caller's units too, unless those are the sensor's own", () => {
  expect(convert(100, "celsius", "us")).toEqual({ units_type: "fahrenheit", value: 212 });
  expect(convert(212, "fahrenheit", "metric")).toEqual({ units_type: "celsius", value: 100 });
  expect(convert(160.9344, "speed", "imperial")).toEqual({ units_type: "mph", value: 100 });
  expect(convert(3.785411784, "litre", "metric_gal_us")).toEqual({ units_type: "gallon_us", value: 1 });
  expect(convert(1, "celsius", "metric")).toBeNull();
  expect(convert(1, "custom", "us")).toBeNull();
});
