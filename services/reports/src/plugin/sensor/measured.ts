import type { Gauge } from "#shared/telemetry/sensor.ts";
import { zoneOffsetMs } from "#shared/time/clock.ts";
import type { GraphWishes } from "../../definition/parameters.ts";
import type { Part } from "../../definition/plugin.ts";
import type { TrackerData } from "../../definition/tracker-data.ts";
import { lineChart, Trace } from "../../layout/chart.ts";
import type { Section } from "../../layout/sheet.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byDay, byName, fieldsOf, sumOf, tableOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { readingsOf } from "../../series/readings.ts";

/** What a sensor showed during a stretch of time: a day, or an interval of one. */
type Stretch = {
  key: string;
  start_time: number;
  least: number;
  most: number;
  sum: number;
  readings: number;
  place: { lat: number; lng: number };
  address: string;
  end_time: number;
  /** Where it showed the least and the most. */
  ends: [least: Place, most: Place];
};
type Wishes = { gauges: Gauge[]; detailsMs: number; showsAddress: boolean; graph: GraphWishes };

/** For each sensor a table of days, and one of intervals. */
export async function measuredPart(data: TrackerData, wishes: Wishes, writer: Writer): Promise<Part> {
  const { gauges, detailsMs, showsAddress, graph } = wishes;
  const found = gauges.map(() => ({ days: [] as Stretch[], intervals: [] as Stretch[], trace: new Trace() }));
  let meters = 0;
  for await (const { point, values } of readingsOf(data, gauges)) {
    meters += point.step_meters;
    const across = graph.graph_type === "time" ? point.time : writer.inUnit(meters / 1000);
    const day = writer.dayOf(point.time);
    const offsetMs = zoneOffsetMs(point.time, writer.zone);
    // An hour that the clock shows twice is two.
    const interval = `${Math.floor((point.time + offsetMs) / detailsMs)} ${offsetMs}`;
    for (const [index, value] of values.entries()) {
      const of = found[index];
      if (value === null || !of) continue;
      take(of.days, day, point, value);
      take(of.intervals, interval, point, value);
      of.trace.add(across, value);
    }
  }
  if (showsAddress)
    await nameAll(
      data,
      found.flatMap(({ intervals }) => intervals),
    );
  const sections = gauges.flatMap(({ sensor }, index) => {
    const { days = [], intervals = [] } = found[index] ?? {};
    return tablesOf(titleOf(sensor), { days, intervals, showsAddress }, writer);
  });
  const summary = gauges.map(({ sensor }, index) => {
    const days = found[index]?.days ?? [];
    return writer.named.measured(titleOf(sensor), averageOf(days), sourceOfAll(days.map(sourceOfStretch), data));
  });
  const charts = gauges.flatMap(({ sensor }, index) => {
    const { trace = new Trace() } = found[index] ?? {};
    return lineChart({ title: titleOf(sensor), trace, axis: graph.graph_type, isSmooth: graph.smoothing }, writer);
  });
  return { sections, summary, is_empty: found.every(({ days }) => days.length === 0), charts };
}

export function titleOf(sensor: Gauge["sensor"]) {
  return "units" in sensor && sensor.units ? `${sensor.name}, ${sensor.units}` : sensor.name;
}

type Place = { time: number; lat: number; lng: number };

/** Stretches follow on each other, so that only the last can grow. */
function take(stretches: Stretch[], key: Stretch["key"], { time, lat, lng }: Place, value: number) {
  const last = stretches.at(-1);
  if (last?.key !== key) {
    const here = { time, lat, lng };
    const begun = {
      key,
      start_time: time,
      end_time: time,
      ends: [here, here] satisfies Stretch["ends"],
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

async function nameAll(data: TrackerData, stretches: Stretch[]) {
  const names = await data.names(stretches.map(({ place }) => place));
  for (const [index, stretch] of stretches.entries()) stretch.address = names[index]?.address ?? "";
}

type Found = { days: Stretch[]; intervals: Stretch[]; showsAddress: boolean };

function tablesOf(title: string, { days, intervals, showsAddress }: Found, writer: Writer): Section[] {
  const { words } = writer;
  const fields = fieldsOf<Stretch>();
  const address = fields.text(
    "address",
    words("Address", "Adresse"),
    ({ place, address }) => writer.address({ ...place, address }),
    4,
  );
  const values = valueFields(writer);
  return [
    ...tableOf(
      {
        header: title,
        fields: [fields.text("day", words("Day", "Tag"), ({ start_time }) => writer.day(start_time)), ...values],
        items: days,
        sourceOf: sourceOfStretch,
        grouping: byName<Stretch>(() => words("By days", "Nach Tagen")),
      },
      writer,
    ),
    ...tableOf(
      {
        header: `${title}: ${words("intervals", "Zeiten")}`,
        fields: [
          fields.text("time", words("Time", "Zeit"), ({ start_time }) => writer.moment(start_time)),
          ...values,
          ...(showsAddress ? [address] : []),
        ],
        items: intervals,
        sourceOf: sourceOfStretch,
        grouping: byDay<Stretch>(writer),
      },
      writer,
    ),
  ];
}

function sourceOfStretch({ start_time, end_time, readings, ends }: Stretch) {
  return sourceOf({ from: start_time, to: end_time, point_count: readings, points: ends });
}

function valueFields({ words, measured, number }: Writer) {
  const fields = fieldsOf<Stretch>();
  const average = (all: Stretch[]) => measured(averageOf(all));
  const least = (all: Stretch[]) =>
    measured(all.reduce((low, one) => Math.min(low, one.least), Number.POSITIVE_INFINITY));
  const most = (all: Stretch[]) =>
    measured(all.reduce((high, one) => Math.max(high, one.most), Number.NEGATIVE_INFINITY));
  return [
    fields.value("min", words("Least", "Minimum"), (one) => least([one]), least),
    fields.value("max", words("Greatest", "Maximum"), (one) => most([one]), most),
    fields.value("avg", words("Average", "Mittel"), (one) => average([one]), average),
    fields.sum("readings", words("Readings", "Messwerte"), number, ({ readings }) => readings),
  ];
}

/** Of all readings, each counting alike. */
function averageOf(stretches: Stretch[]) {
  return (
    sumOf(stretches, ({ sum }) => sum) /
    Math.max(
      1,
      sumOf(stretches, ({ readings }) => readings),
    )
  );
}
