import type { Position } from "#shared/geometry/position.ts";
import type { Gauge } from "#shared/telemetry/sensor.ts";
import { zoneOffsetMs } from "#shared/time/clock.ts";
import type { GraphOptions } from "../../definition/parameters.ts";
import type { SubjectReport } from "../../definition/plugin.ts";
import type { TrackerData } from "../../definition/tracker-data.ts";
import { createLineChart, Trace } from "../../layout/chart.ts";
import type { Section } from "../../layout/sheet.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byDay, byName, createTable, defineFields, sumOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { readValues } from "../../series/readings.ts";

/** The values of a sensor during a day, or during an interval of it. */
type ValueRange = {
  key: string;
  start_time: number;
  least: number;
  most: number;
  sum: number;
  readings: number;
  place: Position;
  address: string;
  end_time: number;
  /** The positions of the least and the greatest value. */
  ends: [least: TimedPosition, most: TimedPosition];
};
type MeasuringOptions = { gauges: Gauge[]; detailsMs: number; showsAddress: boolean; graph: GraphOptions };

/** Reports a table of days and one of intervals for each sensor. */
export async function createMeasuringReport(
  data: TrackerData,
  options: MeasuringOptions,
  writer: Writer,
): Promise<SubjectReport> {
  const { gauges, detailsMs, showsAddress, graph } = options;
  const found = gauges.map(() => ({ days: [] as ValueRange[], intervals: [] as ValueRange[], trace: new Trace() }));
  let meters = 0;
  for await (const { point, values } of readValues(data, gauges)) {
    meters += point.step_meters;
    const across = graph.graph_type === "time" ? point.time : writer.inUnit(meters / 1000);
    const day = writer.dayOf(point.time);
    const offsetMs = zoneOffsetMs(point.time, writer.zone);
    // An hour that the clock repeats is two intervals.
    const interval = `${Math.floor((point.time + offsetMs) / detailsMs)} ${offsetMs}`;
    for (const [index, value] of values.entries()) {
      const of = found[index];
      if (value === null || !of) continue;
      addValue(of.days, day, point, value);
      addValue(of.intervals, interval, point, value);
      of.trace.add(across, value);
    }
  }
  if (showsAddress)
    await addAddresses(
      data,
      found.flatMap(({ intervals }) => intervals),
    );
  const sections = gauges.flatMap(({ sensor }, index) => {
    const { days = [], intervals = [] } = found[index] ?? {};
    return tablesOf(titleOf(sensor), { days, intervals, showsAddress }, writer);
  });
  const summary = gauges.map(({ sensor }, index) => {
    const days = found[index]?.days ?? [];
    return writer.named.measured(titleOf(sensor), averageOf(days), sourceOfAll(days.map(sourceOfRange), data));
  });
  const charts = gauges.flatMap(({ sensor }, index) => {
    const { trace = new Trace() } = found[index] ?? {};
    return createLineChart(
      { title: titleOf(sensor), trace, axis: graph.graph_type, isSmooth: graph.smoothing },
      writer,
    );
  });
  return { sections, summary, is_empty: found.every(({ days }) => days.length === 0), charts };
}

export function titleOf(sensor: Gauge["sensor"]) {
  return "units" in sensor && sensor.units ? `${sensor.name}, ${sensor.units}` : sensor.name;
}

type TimedPosition = { time: number; lat: number; lng: number };

/** Ranges follow each other, so only the last one can grow. */
function addValue(stretches: ValueRange[], key: ValueRange["key"], { time, lat, lng }: TimedPosition, value: number) {
  const last = stretches.at(-1);
  if (last?.key !== key) {
    const here = { time, lat, lng };
    const begun = {
      key,
      start_time: time,
      end_time: time,
      ends: [here, here] satisfies ValueRange["ends"],
      least: value,
      most: value,
      sum: value,
      readings: 1,
    };
    stretches.push({ ...begun, place: { lat, lng }, address: "" });
    return;
  }
  last.end_time = time;
  if (value < last.least) last.ends[0] = { time, lat, lng };
  if (value > last.most) last.ends[1] = { time, lat, lng };
  last.least = Math.min(last.least, value);
  last.most = Math.max(last.most, value);
  last.sum += value;
  last.readings++;
}

async function addAddresses(data: TrackerData, stretches: ValueRange[]) {
  const names = await data.names(stretches.map(({ place }) => place));
  for (const [index, stretch] of stretches.entries()) stretch.address = names[index]?.address ?? "";
}

type ValueTables = { days: ValueRange[]; intervals: ValueRange[]; showsAddress: boolean };

function tablesOf(title: string, { days, intervals, showsAddress }: ValueTables, writer: Writer): Section[] {
  const { words } = writer;
  const fields = defineFields<ValueRange>();
  const address = fields.text(
    "address",
    words("Address", "Adresse"),
    ({ place, address }) => writer.address({ ...place, address }),
    4,
  );
  const values = valueFields(writer);
  return [
    ...createTable(
      {
        header: title,
        fields: [fields.text("day", words("Day", "Tag"), ({ start_time }) => writer.day(start_time)), ...values],
        items: days,
        sourceOf: sourceOfRange,
        grouping: byName<ValueRange>(() => words("By days", "Nach Tagen")),
      },
      writer,
    ),
    ...createTable(
      {
        header: `${title}: ${words("intervals", "Zeiten")}`,
        fields: [
          fields.text("time", words("Time", "Zeit"), ({ start_time }) => writer.moment(start_time)),
          ...values,
          ...(showsAddress ? [address] : []),
        ],
        items: intervals,
        sourceOf: sourceOfRange,
        grouping: byDay<ValueRange>(writer),
      },
      writer,
    ),
  ];
}

function sourceOfRange({ start_time, end_time, readings, ends }: ValueRange) {
  return sourceOf({ from: start_time, to: end_time, point_count: readings, points: ends });
}

function valueFields({ words, measured, number }: Writer) {
  const fields = defineFields<ValueRange>();
  const average = (all: ValueRange[]) => measured(averageOf(all));
  const least = (all: ValueRange[]) =>
    measured(all.reduce((low, one) => Math.min(low, one.least), Number.POSITIVE_INFINITY));
  const most = (all: ValueRange[]) =>
    measured(all.reduce((high, one) => Math.max(high, one.most), Number.NEGATIVE_INFINITY));
  return [
    fields.value("min", words("Least", "Minimum"), (one) => least([one]), least),
    fields.value("max", words("Greatest", "Maximum"), (one) => most([one]), most),
    fields.value("avg", words("Average", "Mittel"), (one) => average([one]), average),
    fields.sum("readings", words("Readings", "Messwerte"), number, ({ readings }) => readings),
  ];
}

/** The mean of all readings with equal weight. */
function averageOf(stretches: ValueRange[]) {
  return (
    sumOf(stretches, ({ sum }) => sum) /
    Math.max(
      1,
      sumOf(stretches, ({ readings }) => readings),
    )
  );
}
