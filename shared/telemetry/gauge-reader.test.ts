import { expect, test } from "vitest";
import { GaugeReader } from "./gauge-reader.ts";
import { COMPOSITE, gaugesOf, type MeteringSensor } from "./sensor.ts";

const tank = (id: number, input_name: string, parent_ids?: number[]): MeteringSensor => ({
  ...{ type: "metering", id, sensor_type: "fuel", name: `Tank ${id}`, input_name, group_type: "sum" },
  ...{ divider: 1, accuracy: 0, units: "", units_type: "litre", parameters: { parent_ids } },
});
const GAUGES = gaugesOf(
  [tank(1, "left"), tank(2, "right"), tank(3, COMPOSITE, [1, 2])].map((sensor) => ({ sensor, curve: [] })),
);

test("a gauge reader reads a composite sensor from the last values of its parts", () => {
  const both = GAUGES.at(-1);
  const reader = new GaugeReader(both ?? { sensor: tank(4, "none"), curve: [], parts: [] });
  expect(reader.inputs).toEqual(["left", "right"]);
  expect([reader.read({ left: 10 }), reader.value()]).toEqual([true, 10]);
  expect([reader.read({ right: 5, other: 1 }), reader.value()]).toEqual([true, 15]);
  expect([reader.read({ other: 2 }), reader.read(null), reader.value()]).toEqual([false, false, 15]);
  expect(reader.lastOf("left")).toBe(10);
});

test("a gauge reader has no inputs of a discrete sensor", () => {
  const sensor = { type: "discrete", id: 1, sensor_type: "ignition", name: "Key", input_number: 1 } as const;
  expect(new GaugeReader({ sensor, curve: [], parts: [] }).inputs).toEqual([]);
});
