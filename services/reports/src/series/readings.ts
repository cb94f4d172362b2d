import { type Gauge, gaugeValue } from "#shared/telemetry/sensor.ts";
import type { TrackerData, TrackPoint } from "../definition/tracker-data.ts";

/** A value of a measuring sensor, with its point. */
export type Reading = { value: number; point: TrackPoint };

/**
 * Reads values of several sensors in one pass over the points. A composite sensor uses the last values of its parts.
 */
export async function* readValues(
  data: TrackerData,
  gauges: Gauge[],
  attributes: string[] = [],
): AsyncGenerator<{ point: TrackPoint; values: (number | null)[] }> {
  const sources = gauges.map(inputsOf);
  const lastValues = gauges.map(() => new Map<string, unknown>());
  for await (const page of data.points([...new Set([...sources.flat(), ...attributes])])) {
    for (const point of page) {
      const values = gauges.map((gauge, index) =>
        valueAt(point, gauge, sources[index] ?? [], lastValues[index] ?? new Map()),
      );
      yield { point, values };
    }
  }
}

function valueAt({ attributes }: TrackPoint, gauge: Gauge, inputs: string[], lastValues: Map<string, unknown>) {
  let isNew = false;
  for (const name of inputs) {
    const attribute = attributes?.[name];
    if (attribute === undefined) continue;
    lastValues.set(name, attribute);
    isNew = true;
  }
  return isNew ? gaugeValue(gauge, (name) => lastValues.get(name)) : null;
}

function inputsOf({ sensor, parts }: Gauge): string[] {
  if (parts.length > 0) return parts.map((part) => part.sensor.input_name);
  return sensor.type === "metering" ? [sensor.input_name] : [];
}

/** The requested sensors of this tracker, in the order of the request. */
export function selectGauges(
  gauges: Gauge[],
  wanted: { tracker_id: number; sensor_id: number }[],
  tracker_id: number,
): Gauge[] {
  const ids = new Set(wanted.filter((one) => one.tracker_id === tracker_id).map(({ sensor_id }) => sensor_id));
  return [...ids].flatMap((id) => gauges.find(({ sensor }) => sensor.id === id) ?? []).slice(0, MAX_GAUGES);
}

/** Limits the sensors of one tracker. */
const MAX_GAUGES = 20;
