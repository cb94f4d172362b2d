import type { LastReadings } from "#shared/contract/point/last-readings.ts";
import {
  convert,
  type Gauge,
  gaugesOf,
  gaugeValue,
  numberOf,
  titleOf,
  virtualValue,
} from "#shared/telemetry/sensor.ts";
import type { SensorRow } from "../../table/telemetry/sensor.ts";
import { toCalibrated } from "../sensor/schema.ts";
import type { Readings } from "./schema.ts";

export type SensorSearch = { sensor_type?: string; include_components?: boolean };
export type MeteringReading = Readings["inputs"][number];

/** The sensors' values from what the device last sent; sensors without a value are left out. */
export function toReadings(
  rows: SensorRow[],
  last: LastReadings | undefined,
  measurement_system: string,
  { sensor_type, include_components = true }: SensorSearch = {},
): Omit<Readings, "counters"> {
  const values = last?.values ?? {};
  const all = gaugesOf(rows.map(toCalibrated));
  const parts = new Set(all.flatMap((gauge) => gauge.parts.map((part) => part.sensor.id)));
  const gauges = all.filter(({ sensor }) => {
    return (
      (sensor_type === undefined || sensor.sensor_type === sensor_type) && (include_components || !parts.has(sensor.id))
    );
  });
  const readings = {
    inputs: gauges.flatMap((gauge) => meteringOf(gauge, values, measurement_system) ?? []),
    virtual_sensors: gauges.flatMap(({ sensor }) => {
      if (sensor.type !== "virtual") return [];
      const input = values[sensor.input_name];
      const value = input && virtualValue(input.value, sensor.parameters);
      if (!input || value === null || value === undefined) return [];
      const identity = { sensor_id: sensor.id, label: sensor.name, type: sensor.sensor_type };
      return { ...identity, value: titleOf(value, sensor.parameters), update_time: input.updated };
    }),
  };
  return sensor_type === undefined ? { ...readings, states: statesOf(all, last) } : readings;
}

function meteringOf(gauge: Gauge, values: LastReadings["values"], measurement_system: string): MeteringReading | null {
  const { sensor, parts } = gauge;
  if (sensor.type !== "metering") return null;
  const value = gaugeValue(gauge, (name) => values[name]?.value);
  if (value === null) return null;
  const names = parts.length > 0 ? parts.map((part) => part.sensor.input_name) : [sensor.input_name];
  const times = names.flatMap((name) => values[name]?.updated ?? []);
  const { min, max } = sensor.parameters;
  const other = convert(value, sensor.units_type, measurement_system);
  return {
    sensor_id: sensor.id,
    label: sensor.name,
    name: sensor.input_name,
    type: sensor.sensor_type,
    value,
    units: sensor.units,
    units_type: sensor.units_type,
    ...(typeof min === "number" ? { min_value: min } : {}),
    ...(typeof max === "number" ? { max_value: max } : {}),
    ...(parts.length > 0 ? { composite_sensor_ids: parts.map((part) => part.sensor.id) } : {}),
    converted_units_type: other?.units_type ?? null,
    converted_value: other?.value ?? null,
    update_time: Math.max(...times),
  };
}

/** The values that the device sent and no sensor measures. */
function statesOf(gauges: Gauge[], last: LastReadings | undefined): NonNullable<Readings["states"]> {
  if (!last) return [];
  const measured = new Set(gauges.map(({ sensor }) => (sensor.type === "metering" ? sensor.input_name : "")));
  const { inputs, battery, values } = last;
  return [
    ...(inputs ? [{ field: "input_status", value: inputs.mask, update_time: inputs.updated }] : []),
    ...(battery ? [{ field: "battery_level", value: battery.level, update_time: battery.updated }] : []),
    ...Object.entries(values).flatMap(([field, { value, updated }]) =>
      measured.has(field) ? [] : { field, value: parseState(value), update_time: updated },
    ),
  ];
}

/**
 * Values are stored as text; this restores numbers and booleans. A number with leading zeros stays text: it is an
 * identifier.
 */
function parseState(value: string) {
  if (value === "true" || value === "false") return value === "true";
  const number = numberOf(value);
  return number !== null && String(number) === value ? number : value;
}
