/** A point of a calibration curve: raw value and meaning. */
export type Bend = { in: number; out: number };

export type MeteringSensor = {
  type: "metering";
  id: number;
  sensor_type: string;
  name: string;
  /** The attribute that the device sends, or `composite`. */
  input_name: string;
  group_type: "sum" | "avg" | null;
  divider: number;
  accuracy: number;
  units: string;
  units_type: string;
  parameters: { parent_ids?: number[]; min?: number | null; max?: number | null } & Record<string, unknown>;
};
export type DiscreteSensor = { type: "discrete"; id: number; sensor_type: string; name: string; input_number: number };
export type VirtualSensor = {
  type: "virtual";
  id: number;
  sensor_type: string;
  name: string;
  input_name: string;
  parameters: VirtualRule & { value_titles?: { value: string; title: string }[] } & Record<string, unknown>;
};
export type Sensor = MeteringSensor | DiscreteSensor | VirtualSensor;

/** How a virtual sensor derives its value from a raw value. */
export type VirtualRule = {
  calc_method: "in_range" | "identity" | "bit_index";
  range_from?: number | null;
  range_to?: number | null;
  /** Counted from 1. */
  bit_index?: number | null;
};

export const COMPOSITE = "composite";

/** The number of a raw value, which may be text; null when it is not a number. */
export function numberOf(raw: unknown): number | null {
  if (typeof raw === "number") return raw;
  if (typeof raw === "boolean") return raw ? 1 : 0;
  if (typeof raw !== "string" || raw.trim() === "") return null;
  const value = WORDS[raw] ?? Number(raw);
  return Number.isFinite(value) ? value : null;
}

/** Linear interpolation between the points of the curve, extrapolated beyond them; without a curve the raw value. */
export function calibrate(raw: number, { divider }: Pick<MeteringSensor, "divider">, curve: Bend[]): number {
  const value = raw / divider;
  const [first, second] = curve;
  if (!first) return value;
  if (!second) return first.out;
  let end = 1;
  while (end < curve.length - 1 && value > (curve[end]?.in ?? 0)) end++;
  const [from, to] = [curve[end - 1] ?? first, curve[end] ?? second];
  return from.out + ((value - from.in) * (to.out - from.out)) / (to.in - from.in);
}

/** A sensor with its curve and, for a composite, its parts. */
export type Gauge = { sensor: Sensor; curve: Bend[]; parts: { sensor: MeteringSensor; curve: Bend[] }[] };

/** A gauge with the tracker whose points it measures. */
export type TrackerGauge = { tracker_id: number; gauge: Gauge };

/** Gauges of all sensors of a tracker. */
export function gaugesOf(sensors: { sensor: Sensor; curve: Bend[] }[]): Gauge[] {
  const metering = new Map<number, { sensor: MeteringSensor; curve: Bend[] }>();
  for (const { sensor, curve } of sensors) if (sensor.type === "metering") metering.set(sensor.id, { sensor, curve });
  return sensors.map(({ sensor, curve }) => {
    const ids =
      sensor.type === "metering" && sensor.input_name === COMPOSITE ? (sensor.parameters.parent_ids ?? []) : [];
    return { sensor, curve, parts: ids.flatMap((id) => metering.get(id) ?? []) };
  });
}

/** Value of a gauge from raw values; a composite adds up the parts that have a value. */
export function gaugeValue({ sensor, curve, parts }: Gauge, rawOf: (input_name: string) => unknown): number | null {
  if (sensor.type !== "metering") return null;
  if (sensor.input_name !== COMPOSITE) return measuredValue(sensor, curve, rawOf(sensor.input_name));
  const values = parts.flatMap((part) => measuredValue(part.sensor, part.curve, rawOf(part.sensor.input_name)) ?? []);
  if (values.length === 0) return null;
  const sum = values.reduce((total, value) => total + value, 0);
  return round(sensor.group_type === "avg" ? sum / values.length : sum);
}

function measuredValue(sensor: MeteringSensor, curve: Bend[], given: unknown): number | null {
  const raw = numberOf(given);
  return raw !== null && isPossible(raw, sensor) ? round(calibrate(raw, sensor, curve)) : null;
}

/** Whether the raw value is within the sensor's limits. */
function isPossible(raw: number, { parameters: { min, max } }: Pick<MeteringSensor, "parameters">) {
  return (min ?? Number.NEGATIVE_INFINITY) <= raw && raw <= (max ?? Number.POSITIVE_INFINITY);
}

/** The value for which titles are defined; null when a number is required and the raw value is none. */
export function virtualValue(raw: unknown, rule: VirtualRule): string | null {
  if (rule.calc_method === "identity") return raw === null || raw === undefined ? null : String(raw);
  const value = numberOf(raw);
  if (value === null) return null;
  if (rule.calc_method === "in_range") {
    const { range_from, range_to } = rule;
    const inside = (range_from ?? Number.NEGATIVE_INFINITY) <= value && value <= (range_to ?? Number.POSITIVE_INFINITY);
    return inside ? "1" : "0";
  }
  // Division, since bit operations are limited to 32 bits.
  return Math.floor(Math.abs(value) / 2 ** ((rule.bit_index ?? 1) - 1)) % 2 === 1 ? "1" : "0";
}

/** The title of a virtual value, or the value when it has none. */
export function titleOf(value: string, { value_titles = [] }: VirtualSensor["parameters"]): string {
  return value_titles.find((titled) => titled.value === value)?.title ?? value;
}

/** Converts to the units of a measurement system; null when the sensor's unit stays. */
export function convert(value: number, units_type: string, measurement_system: string) {
  const wanted = UNITS[measurement_system]?.[units_type];
  return wanted ? { units_type: wanted.as, value: round(wanted.of(value)) } : null;
}

/** Rounds off the noise of divisions: no sensor is this precise. */
function round(value: number) {
  return Math.round(value * 1e6) / 1e6;
}

const WORDS: Record<string, number> = { true: 1, false: 0 };

type Conversion = { as: string; of(value: number): number };
const FAHRENHEIT: Conversion = { as: "fahrenheit", of: (celsius) => celsius * 1.8 + 32 };
const CELSIUS: Conversion = { as: "celsius", of: (fahrenheit) => (fahrenheit - 32) / 1.8 };
const MPH: Conversion = { as: "mph", of: (kmh) => kmh / 1.609344 };
const KNOTS: Conversion = { as: "knots", of: (kmh) => kmh / 1.852 };
const US_GALLON: Conversion = { as: "gallon_us", of: (liters) => liters / 3.785411784 };
const GALLON: Conversion = { as: "gallon", of: (liters) => liters / 4.54609 };
/** Conversions by measurement system and sensor unit; other units stay. */
const UNITS: Record<string, Record<string, Conversion>> = {
  metric: { fahrenheit: CELSIUS },
  imperial: { speed: MPH, litre: GALLON, celsius: FAHRENHEIT },
  us: { speed: MPH, litre: US_GALLON, celsius: FAHRENHEIT },
  metric_gal_us: { litre: US_GALLON, fahrenheit: CELSIUS },
  nautical: { speed: KNOTS, fahrenheit: CELSIUS },
};
