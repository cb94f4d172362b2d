import type { Equipment } from "#shared/contract/report-source.ts";
import { type Gauge, numberOf, virtualValue } from "#shared/telemetry/sensor.ts";
import type { TrackPoint } from "../definition/tracker-data.ts";

/** How to tell from a point whether something is on; null if the point does not say. */
export type Switch = { attributes: string[]; isOn(point: TrackPoint): boolean | null };

/** The tracker's ignition: its discrete sensor, else a virtual one, else the first input. */
export function ignitionOf({ gauges }: Equipment): Switch {
  const wired = gauges.find(({ sensor }) => sensor.type === "discrete" && sensor.sensor_type === "ignition");
  const virtual = gauges.find(({ sensor }) => sensor.sensor_type === "virtual_ignition");
  const gauge = wired ?? virtual;
  return gauge ? switchOf(gauge) : inputSwitch(1);
}

/**
 * A switch for a sensor: a discrete one by its input, a virtual one by its rule, a measuring one if its value is not 0.
 */
export function switchOf({ sensor }: Gauge): Switch {
  if (sensor.type === "discrete") return inputSwitch(sensor.input_number);
  const { input_name } = sensor;
  return {
    attributes: [input_name],
    isOn({ attributes }) {
      const attribute = attributes?.[input_name];
      if (attribute === undefined) return null;
      const value = sensor.type === "virtual" ? virtualValue(attribute, sensor.parameters) : String(attribute);
      return value === null ? null : (numberOf(value) ?? (value === "" ? 0 : 1)) !== 0;
    },
  };
}

function inputSwitch(number: number): Switch {
  return {
    attributes: [],
    isOn: ({ inputs }) => (inputs === null ? null : ((inputs >>> (number - 1)) & 1) === 1),
  };
}
