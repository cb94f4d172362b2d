import { GaugeReader } from "#shared/telemetry/gauge-reader.ts";
import type { Gauge } from "#shared/telemetry/sensor.ts";
import type { TrackerData, TrackPoint } from "../definition/tracker-data.ts";

/** A value of a measuring sensor, with its point. */
export type Reading = { value: number; point: TrackPoint };

/** Reads values of several measuring sensors in one pass over the points. */
export async function* readValues(
  data: TrackerData,
  gauges: Gauge[],
  attributes: string[] = [],
): AsyncGenerator<{ point: TrackPoint; values: (number | null)[] }> {
  const readers = gauges.map((gauge) => new GaugeReader(gauge));
  const inputs = readers.flatMap((reader) => reader.inputs);
  for await (const page of data.points([...new Set([...inputs, ...attributes])])) {
    for (const point of page) {
      const values = readers.map((reader) => (reader.read(point.attributes) ? reader.value() : null));
      yield { point, values };
    }
  }
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
