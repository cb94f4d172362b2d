import * as z from "zod";
import type { Gauge } from "#shared/telemetry/sensor.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import { FILTER, SECONDS, SUMMARY } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import type { TrackerData } from "../../definition/tracker-data.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byName, createTable, defineFields, sumOf } from "../../layout/table.ts";
import { readValues } from "../../series/readings.ts";
import { withoutDrift } from "../../series/smart-filter.ts";

export const flow = plugin({
  id: 78,
  title: ["Flow meter", "Durchfluss"],
  parameters: z.object({
    ...{ ...SECONDS, ...SUMMARY, ...FILTER },
    /** A row for each day; otherwise one for the whole range. */
    detailed_by_dates: z.boolean().default(true),
  }),
  async reportTracker(data, { detailed_by_dates, filter }, writer) {
    const { words } = writer;
    const { gauges } = await data.equipment();
    const meters = gauges.filter(({ sensor }) => sensor.type === "metering" && METERS.includes(sensor.sensor_type));
    const days = await computeConsumption(await withoutDrift(data, filter), meters, (ms) =>
      detailed_by_dates ? writer.dayOf(ms) : "",
    );
    const fields = defineFields<DayConsumption>();
    const table = createTable(
      {
        header: words("Consumption", "Verbrauch"),
        fields: [
          fields.text("day", words("From", "Ab"), ({ start_time }) => writer.day(start_time)),
          fields.sum(
            "consumed",
            writer.volumeTitle(words("Consumption", "Verbrauch")),
            writer.volume,
            ({ liters }) => liters,
          ),
          fields.sum(
            "mileage",
            writer.distanceTitle(words("Mileage", "Strecke")),
            writer.distance,
            (day) => day.meters / 1000,
          ),
        ],
        items: days,
        grouping: byName<DayConsumption>(({ meter }) => meter),
        sourceOf: sourceOfDay,
      },
      writer,
    );
    const summary = meters.map(({ sensor }) => {
      const own = days.filter(({ meter }) => meter === sensor.name);
      return writer.named.volume(
        sensor.name,
        sumOf(own, ({ liters }) => liters),
        sourceOfAll(own.map(sourceOfDay), data),
      );
    });
    return { sections: table, summary, is_empty: days.length === 0 };
  },
});

type TimedPosition = { time: number; lat: number; lng: number };
type DayConsumption = {
  meter: string;
  key: string;
  start_time: number;
  end_time: number;
  liters: number;
  meters: number;
  /** The number of points, and the first and the last of them. */
  points: number;
  ends: [TimedPosition, TimedPosition];
};

function sourceOfDay({ start_time, end_time, points, ends }: DayConsumption) {
  return sourceOf({ from: start_time, to: end_time, point_count: points, points: ends });
}

/**
 * Consumption by day. A cumulative meter adds its increase; a meter of momentary consumption (liters per hour) adds its
 * value times the time that it lasts.
 */
async function computeConsumption(
  data: TrackerData,
  meters: Gauge[],
  keyOf: (ms: number) => string,
): Promise<DayConsumption[]> {
  const found = meters.map((): DayConsumption[] => []);
  const last: ({ value: number; time: number } | undefined)[] = meters.map(() => undefined);
  for await (const { point, values } of readValues(data, meters)) {
    const { time, lat, lng } = point;
    const key = keyOf(time);
    for (const [index, { sensor }] of meters.entries()) {
      if (!point.follows) last[index] = undefined;
      const own = found[index] ?? [];
      const day = own.at(-1)?.key === key ? own.at(-1) : undefined;
      const current = day ?? beginDay(sensor.name, key, { time, lat, lng });
      if (!day) own.push(current);
      current.end_time = time;
      current.meters += point.step_meters;
      current.points++;
      current.ends[1] = { time, lat, lng };
      const value = values[index] ?? null;
      if (value === null) continue;
      const before = last[index];
      if (before) current.liters += computeUse(sensor.sensor_type, before, { value, time });
      last[index] = { value, time };
    }
  }
  return found.flat();
}

function beginDay(meter: string, key: string, first: TimedPosition): DayConsumption {
  const { time } = first;
  return { meter, key, start_time: time, end_time: time, liters: 0, meters: 0, points: 0, ends: [first, first] };
}

type MeterValue = { value: number; time: number };

function computeUse(type: string, before: MeterValue, next: MeterValue) {
  if (type === "instant_consumption") return (before.value * (next.time - before.time)) / HOUR_MS;
  return Math.max(0, next.value - before.value);
}

const METERS = ["flow_meter", "fuel_consumption", "instant_consumption"];
