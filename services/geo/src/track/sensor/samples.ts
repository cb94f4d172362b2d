import { type Gauge, gaugeValue, numberOf, titleOf, virtualValue } from "#shared/telemetry/sensor.ts";
import type { Point } from "../../point/point.ts";

export type Sample = { value: number | string; get_time: number };

/**
 * Values of a sensor at points that have its input. A composite sensor uses the last known values of its parts. `raw`:
 * values as the device sent them.
 */
export async function* readSamples(
  pages: AsyncIterable<{ points: Point[] }>,
  gauge: Gauge,
  raw: boolean,
): AsyncGenerator<Sample[]> {
  const inputs = new Set(inputsOf(gauge));
  const lastValues = new Map<string, unknown>();
  for await (const { points } of pages) {
    const samples: Sample[] = [];
    for (const { time, attributes } of points) {
      let isNew = false;
      for (const name of inputs) {
        const value = attributes?.[name];
        if (value === undefined) continue;
        lastValues.set(name, value);
        isNew = true;
      }
      if (!isNew) continue;
      const value = sampleValue(gauge, lastValues, raw);
      if (value !== null) samples.push({ value, get_time: time });
    }
    if (samples.length > 0) yield samples;
  }
}

function inputsOf({ sensor, parts }: Gauge): string[] {
  if (parts.length > 0) return parts.map((part) => part.sensor.input_name);
  return sensor.type === "discrete" ? [] : [sensor.input_name];
}

function sampleValue(gauge: Gauge, lastValues: Map<string, unknown>, raw: boolean): number | string | null {
  const { sensor, parts } = gauge;
  if (sensor.type === "discrete") return null;
  const input = lastValues.get(sensor.input_name);
  if (sensor.type === "virtual") {
    if (raw) return numberOf(input) ?? (input === undefined ? null : String(input));
    const value = virtualValue(input, sensor.parameters);
    return value === null ? null : titleOf(value, sensor.parameters);
  }
  // A composite has no raw value: it is computed from its parts.
  return raw && parts.length === 0 ? numberOf(input) : gaugeValue(gauge, (name) => lastValues.get(name));
}
