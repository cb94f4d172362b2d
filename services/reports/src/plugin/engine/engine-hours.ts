import * as z from "zod";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { FILTER, SECONDS, SUMMARY, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { sourceOfAll } from "../../layout/source.ts";
import { byDay, byName, createTable, defineFields, summaryTable, sumOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { ignitionOf } from "../../series/ignition.ts";
import {
  type DailyOnTime,
  findOnIntervals,
  type OnInterval,
  sourceOfDay,
  sourceOfInterval,
  sumByDay,
} from "../../series/on-intervals.ts";
import { withoutDrift } from "../../series/smart-filter.ts";

export const engineHours = plugin({
  id: 7,
  title: ["Engine hours", "Motorstunden"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...SUMMARY, ...FILTER },
    /** Adds a table of the single intervals to that of the days. */
    show_detailed: z.boolean().default(false),
  }),
  async reportTracker(data, { show_detailed, filter }, writer) {
    const runs = (
      await findOnIntervals(await withoutDrift(data, filter), ignitionOf(await data.equipment()), writer.zone)
    ).filter(({ start_time, end_time }) => end_time - start_time >= MINUTE_MS);
    const { words } = writer;
    const days = sumByDay(runs);
    const table = createTable(
      {
        header: words("Engine hours", "Motorstunden"),
        fields: dayFields(writer),
        items: days,
        grouping: byName<DailyOnTime>(() => words("By days", "Nach Tagen")),
        sourceOf: sourceOfDay,
      },
      writer,
    );
    const detailed = createTable(
      {
        header: words("Intervals", "Zeiten"),
        fields: runFields(writer),
        items: runs,
        grouping: byDay<OnInterval>(writer),
        sourceOf: sourceOfInterval,
      },
      writer,
    );
    const summary = summaryOf(runs, data, writer);
    const sections = [...table, ...(show_detailed ? detailed : []), summaryTable(summary, writer)];
    return { sections, summary, is_empty: runs.length === 0 };
  },
});

function dayFields({ words, ...writer }: Writer) {
  const fields = defineFields<DailyOnTime>();
  const speed = (all: DailyOnTime[]) => writer.speed(speedOf(all));
  const interval = (all: DailyOnTime[]) => writer.duration(averageOf(all));
  return [
    fields.text("day", words("Day", "Tag"), ({ from }) => writer.day(from)),
    fields.sum("hours", words("Engine hours", "Motorstunden"), writer.duration, ({ on_ms }) => on_ms),
    fields.sum("in_movement", words("In movement", "In Bewegung"), writer.duration, ({ moved_ms }) => moved_ms),
    fields.sum("idling", words("Idling", "Leerlauf"), writer.duration, (day) => day.on_ms - day.moved_ms),
    fields.value("average_interval", words("Average interval", "Mittlere Dauer"), (day) => interval([day]), interval),
    fields.sum("mileage", writer.distanceTitle(words("Mileage", "Strecke")), writer.distance, kilometersOf),
    fields.value("avg_speed", writer.speedTitle(words("Average speed", "Durchschnitt")), (day) => speed([day]), speed),
    fields.sum("intervals", words("Intervals", "Zeiten"), writer.number, ({ runs }) => runs),
  ];
}

function runFields({ words, ...writer }: Writer) {
  const fields = defineFields<OnInterval>();
  return [
    fields.text("start", words("Start", "Beginn"), ({ start_time, start }) => ({
      ...writer.moment(start_time),
      location: start,
    })),
    fields.text("end", words("End", "Ende"), ({ end_time }) => writer.moment(end_time)),
    fields.sum("hours", words("Engine hours", "Motorstunden"), writer.duration, (run) => run.end_time - run.start_time),
    fields.sum("in_movement", words("In movement", "In Bewegung"), writer.duration, ({ moved_ms }) => moved_ms),
    fields.sum(
      "idling",
      words("Idling", "Leerlauf"),
      writer.duration,
      (run) => run.end_time - run.start_time - run.moved_ms,
    ),
    fields.sum("mileage", writer.distanceTitle(words("Mileage", "Strecke")), writer.distance, kilometersOf),
  ];
}

function summaryOf(runs: OnInterval[], range: { from: number; to: number }, { words, named }: Writer) {
  const evidence = sourceOfAll(runs.map(sourceOfInterval), range);
  const on_ms = sumOf(runs, ({ start_time, end_time }) => end_time - start_time);
  const moved_ms = sumOf(runs, (run) => run.moved_ms);
  return [
    named.duration(words("Engine hours", "Motorstunden"), on_ms, evidence),
    named.duration(words("In movement", "In Bewegung"), moved_ms, evidence),
    named.duration(words("Idling", "Leerlauf"), on_ms - moved_ms, evidence),
    named.distance(words("Mileage", "Strecke"), sumOf(runs, kilometersOf), evidence),
    named.count(words("Intervals", "Zeiten"), runs.length, evidence),
  ];
}

function kilometersOf({ length_meters }: { length_meters: number }) {
  return length_meters / 1000;
}

/** Average speed over the time in movement. */
function speedOf(all: DailyOnTime[]) {
  const hours = sumOf(all, ({ moved_ms }) => moved_ms) / 3_600_000;
  return hours > 0 ? sumOf(all, kilometersOf) / hours : 0;
}

function averageOf(days: DailyOnTime[]) {
  return (
    sumOf(days, ({ on_ms }) => on_ms) /
    Math.max(
      1,
      sumOf(days, ({ runs }) => runs),
    )
  );
}
