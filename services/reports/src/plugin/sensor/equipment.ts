import * as z from "zod";
import type { Gauge } from "#shared/telemetry/sensor.ts";
import { FILTER, SECONDS, SENSORS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import type { NamedValue, Section } from "../../layout/sheet.ts";
import { sourceOfAll } from "../../layout/source.ts";
import { byDay, byName, createTable, defineFields, sumOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { switchOf } from "../../series/ignition.ts";
import {
  type DailyOnTime,
  findOnIntervals,
  type OnInterval,
  sourceOfDay,
  sourceOfInterval,
  sumByDay,
} from "../../series/on-intervals.ts";
import { selectGauges } from "../../series/readings.ts";
import { withoutDrift } from "../../series/smart-filter.ts";

export const equipment = plugin({
  id: 12,
  title: ["Equipment working time", "Betriebszeiten"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...SENSORS, ...FILTER },
    /** Seconds; shorter intervals do not count. */
    min_working_period_duration: z.int().min(1).max(86_400).default(60),
    /** Adds the share of the working time in which the tracker stood. */
    show_idle_percent: z.boolean().default(false),
  }),
  async reportTracker(data, { sensors, min_working_period_duration, show_idle_percent, filter }, writer) {
    const driven = await withoutDrift(data, filter);
    const gauges = selectGauges((await data.equipment()).gauges, sensors, data.tracker_id);
    const sections: Section[] = [];
    const summary: NamedValue[] = [];
    for (const gauge of gauges) {
      const all = await findOnIntervals(driven, switchOf(gauge), writer.zone);
      const runs = all.filter(({ on_ms }) => on_ms >= min_working_period_duration * 1000);
      sections.push(...tablesOf(gauge, runs, show_idle_percent, writer));
      summary.push(
        writer.named.duration(
          gauge.sensor.name,
          sumOf(runs, ({ on_ms }) => on_ms),
          sourceOfAll(runs.map(sourceOfInterval), data),
        ),
      );
    }
    return { sections, summary, is_empty: summary.every(({ raw }) => raw === 0) };
  },
});

function tablesOf({ sensor }: Gauge, runs: OnInterval[], showsIdle: boolean, writer: Writer): Section[] {
  const { words } = writer;
  const days = defineFields<DailyOnTime>();
  const times = defineFields<OnInterval>();
  return [
    ...createTable(
      {
        header: sensor.name,
        fields: [
          days.text("day", words("Day", "Tag"), ({ from }) => writer.day(from)),
          days.sum("count", words("Times", "Male"), writer.number, (day) => day.runs),
          ...amountFields<DailyOnTime>(writer, showsIdle),
        ],
        items: sumByDay(runs),
        grouping: byName<DailyOnTime>(() => words("By days", "Nach Tagen")),
        sourceOf: sourceOfDay,
      },
      writer,
    ),
    ...createTable(
      {
        header: `${sensor.name}: ${words("intervals", "Zeiten")}`,
        fields: [
          times.text("start", words("Start", "Beginn"), ({ start_time, start }) => ({
            ...writer.moment(start_time),
            location: start,
          })),
          times.text("end", words("End", "Ende"), ({ end_time }) => writer.moment(end_time)),
          ...amountFields<OnInterval>(writer, showsIdle),
        ],
        items: runs,
        grouping: byDay<OnInterval>(writer),
        sourceOf: sourceOfInterval,
      },
      writer,
    ),
  ];
}

type Amounts = { on_ms: number; moved_ms: number; length_meters: number };

function amountFields<Item extends Amounts>({ words, ...writer }: Writer, showsIdle: boolean) {
  const fields = defineFields<Item>();
  const share = (all: Item[]) => {
    const on_ms = sumOf(all, (one) => one.on_ms);
    return writer.percent(on_ms > 0 ? 1 - sumOf(all, ({ moved_ms }) => moved_ms) / on_ms : 0);
  };
  const mileage = writer.distanceTitle(words("Mileage", "Strecke"));
  return [
    fields.sum("time", words("Working time", "Betriebszeit"), writer.duration, ({ on_ms }) => on_ms),
    fields.sum("in_movement", words("In movement", "In Bewegung"), writer.duration, ({ moved_ms }) => moved_ms),
    fields.sum("mileage", mileage, writer.distance, ({ length_meters }) => length_meters / 1000),
    ...(showsIdle ? [fields.value("idle", words("Standing, %", "Im Stand, %"), (one) => share([one]), share)] : []),
  ];
}
