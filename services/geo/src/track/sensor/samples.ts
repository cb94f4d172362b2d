import { GaugeReader } from "#shared/telemetry/gauge-reader.ts";
import { type Gauge, numberOf, titleOf, virtualValue } from "#shared/telemetry/sensor.ts";
import type { Point } from "../../point/point.ts";

export type Sample = { value: number | string; get_time: number };

/** Values of a sensor at points that have its input. `raw`: values as the device sent them. */
export async function* readSamples(
  pages: AsyncIterable<{ points: Point[] }>,
  gauge: Gauge,
  raw: boolean,
): AsyncGenerator<Sample[]> {
  const reader = new GaugeReader(gauge);
  for await (const { points } of pages) {
    const samples: Sample[] = [];
    for (const { time, attributes } of points) {
      const value = reader.read(attributes) ? sampleValue(reader, raw) : null;
      if (value !== null) samples.push({ value, get_time: time });
    }
    if (samples.length > 0) yield samples;
  }
}

function sampleValue(reader: GaugeReader, raw: boolean): number | string | null {
  const { sensor, parts } = reader.gauge;
  if (sensor.type === "discrete") return null;
  const input = reader.lastOf(sensor.input_name);
  if (sensor.type === "virtual") {
    if (raw) return numberOf(input) ?? (input === undefined ? null : String(input));
    const value = virtualValue(input, sensor.parameters);
    return value === null ? null : titleOf(value, sensor.parameters);
  }
  // A composite has no raw value: it is computed from its parts.
  return raw && parts.length === 0 ? numberOf(input) : reader.value();
}
