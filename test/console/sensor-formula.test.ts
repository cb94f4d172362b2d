import { expect, test } from "vitest";
import {
  checkRows,
  decimalOf,
  parseNumber,
  pasteCells,
  toRows,
  withEmptyRow,
} from "../../console/src/telemetry/sensor/curve.ts";
import { faultsOf, toDraft, toNewSensor } from "../../console/src/telemetry/sensor/draft.ts";
import { calibrate, numberOf, virtualValue } from "../../console/src/telemetry/sensor/formula.ts";
import * as system from "../../shared/telemetry/sensor.ts";

test("the console's preview of a formula has the values that the system computes", () => {
  const raws = [null, "", "12.5", "x", "true", false, -3, 0, 1, 5, 10, 15, 25, 2 ** 31 + 5];
  expect(raws.map(numberOf)).toEqual(raws.map(system.numberOf));
  const full = [0, 10, 20, 30].map((value) => ({ in: value, out: value * value }));
  for (const curve of [[], full.slice(1, 2), full.slice(0, 2), full])
    for (const value of [-5, 0, 5, 10, 29, 40])
      expect(calibrate(value, curve)).toBe(system.calibrate(value, { divider: 1 }, curve));
  for (const rule of [
    { calc_method: "identity" as const },
    { calc_method: "in_range" as const, range_from: 1 },
    { calc_method: "in_range" as const, range_from: 1, range_to: 10 },
    ...[1, 3, 32].map((bit_index) => ({ calc_method: "bit_index" as const, bit_index })),
  ])
    expect(raws.map((raw) => virtualValue(raw, rule))).toEqual(raws.map((raw) => system.virtualValue(raw, rule)));
});

test("numbers of spreadsheets are read with either decimal sign and with signs between thousands", () => {
  const asEnglish = ["12.5", "12,5", "1,234", "0,125", "1,234.5", "1.234,5", "1,234,567", "1 234", "-3e2", "−2"];
  expect(asEnglish.map((text) => parseNumber(text, "."))).toEqual([
    ...[12.5, 12.5, 1234, 0.125, 1234.5, 1234.5, 1234567, 1234, -300, -2],
  ]);
  expect(["1,234", "1.234", "0.125"].map((text) => parseNumber(text, ","))).toEqual([1.234, 1234, 0.125]);
  expect(["", "12 l", "1,2.3,4", "-"].map((text) => parseNumber(text, "."))).toEqual([null, null, null, null]);
  expect(["en-US", "de-DE"].map(decimalOf)).toEqual([".", ","]);
});

test("cells of a spreadsheet go over the rows of a curve from the chosen cell on, without their header", () => {
  const rows = withEmptyRow(toRows([{ in: 0, out: 1.5 }], ","));
  expect(rows).toEqual([
    { in: "0", out: "1,5" },
    { in: "", out: "" },
  ]);
  const pasted = pasteCells(rows, "Raw\tLiters\r\n10\t20\r\n\r\n30\t40\r\n", { row: 1, column: "in" });
  expect(pasted.map((row) => row.in + row.out)).toEqual(["01,5", "1020", "3040", ""]);
  const column = pasteCells(pasted, "7\n8", { row: 1, column: "out" });
  expect(column.map((row) => row.in + row.out)).toEqual(["01,5", "107", "308", ""]);
  expect(pasteCells([], "1;2\n3;4", { row: 0, column: "in" })).toHaveLength(3);
});

test("rows of a curve that have a fault are named, and a curve without any is sorted", () => {
  const rows = [
    { in: "10", out: "5" },
    { in: "", out: "" },
    { in: "0", out: "1" },
  ];
  expect(checkRows(rows, ".").bends).toEqual([
    { in: 0, out: 1 },
    { in: 10, out: 5 },
  ]);
  const faulty = checkRows([...rows, { in: "10.0", out: "6" }, { in: "4", out: "" }, { in: "x", out: "6" }], ".");
  expect(faulty.bends).toBeUndefined();
  expect([...faulty.faults]).toEqual([
    [3, { kind: "twice", firstRow: 1 }],
    [4, { kind: "incomplete" }],
    [5, { kind: "noNumber" }],
  ]);
});

test("the draft of a sensor names its faults, and keeps members that the form does not have", () => {
  const draft = toDraft(undefined);
  expect(faultsOf({ ...draft, divider: "0", min: 5, max: "-" })).toEqual({
    divider: "zero",
    "parameters.max": "noNumber",
  });
  expect(faultsOf({ ...draft, kind: "combined" })).toEqual({ "parameters.parent_ids": "noParts" });
  expect(faultsOf({ ...draft, kind: "virtual" })).toEqual({ "parameters.range_from": "noRange" });
  expect(faultsOf({ ...draft, kind: "virtual", rangeFrom: 3, rangeTo: 2 })).toEqual({ "parameters.range_to": "order" });
  expect(faultsOf({ ...draft, kind: "virtual", method: "bit_index", bitIndex: 33 })).toEqual({
    "parameters.bit_index": "bit",
  });
  const titles = [1, 1].map(() => ({ value: "a", title: "A" }));
  expect(faultsOf({ ...draft, kind: "virtual", method: "identity", titles })).toEqual({
    "parameters.value_titles": "twiceTitled",
  });
  const parameters = { ignore_drains_in_move: true, ignore_refuels_in_move: false, refuel_gap_minutes: 9 };
  const stored = {
    ...({ type: "metering", sensor_type: "fuel" } as const),
    ...{ id: 3, name: "Tank", input_name: "lls_level_1", group_type: null },
    ...{ divider: 1, accuracy: 0, units: "l", units_type: "litre" },
    parameters: { ...parameters, custom_field_name: false, max: 500 },
  };
  expect(toNewSensor({ ...toDraft(stored), name: "Left tank" }, stored)).toEqual({
    ...stored,
    name: "Left tank",
    parameters: { ...stored.parameters, min: null, volume: null },
  });
});
