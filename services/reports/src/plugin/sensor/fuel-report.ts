import type { SubjectReport } from "../../definition/plugin.ts";
import type { TrackerData } from "../../definition/tracker-data.ts";
import type { Chart } from "../../layout/chart.ts";
import type { NamedValue, Section } from "../../layout/sheet.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byDay, byName, createTable, defineFields, summaryTable, sumOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import {
  computeFuelHistory,
  type FuelChange,
  type FuelDay,
  type FuelFilters,
  type FuelHistory,
  type FuelSample,
} from "../../series/fuel.ts";
import { ignitionOf } from "../../series/ignition.ts";
import { FuelPlots, type PlotOptions } from "./fuel-plots.ts";

type FuelReportOptions = {
  filters: FuelFilters;
  showsDrains: boolean;
  showsDays: boolean;
  byIgnition: boolean;
  /** Null for no charts. */
  plots: PlotOptions | null;
};

/** Reports fillings, drains and days of each tank's sensor. */
export async function createFuelReport(
  data: TrackerData,
  options: FuelReportOptions,
  writer: Writer,
): Promise<SubjectReport> {
  const equipment = await data.equipment();
  const tanks = equipment.gauges.filter(({ sensor }) => sensor.type === "metering" && sensor.sensor_type === "fuel");
  const ignition = ignitionOf(equipment);
  const sections: Section[] = [];
  const summary: NamedValue[] = [];
  const charts: Chart[] = [];
  for (const gauge of tanks.slice(0, MAX_TANKS)) {
    const plots = options.plots && new FuelPlots(options.plots, writer);
    const watch = (sample: FuelSample) => plots?.add(sample);
    const history = await computeFuelHistory(data, gauge, {
      filters: options.filters,
      ignition,
      dayOf: writer.dayOf,
      watch,
    });
    charts.push(...(plots?.charts(gauge.sensor.name) ?? []));
    const shown = await addAddresses(data, options.showsDrains ? history.changes : history.changes.filter(isFilling));
    sections.push(...tablesOf(gauge.sensor.name, { history, shown }, options, writer));
    summary.push(...summaryOf({ name: gauge.sensor.name, history, range: data }, options, writer));
  }
  const sum = summary.length > 0 ? [summaryTable(summary, writer)] : [];
  return { sections: [...sections, ...sum], summary, is_empty: summary.length === 0, charts };
}

type FuelChangeRow = FuelChange & { address: string };

async function addAddresses(data: TrackerData, changes: FuelChange[]): Promise<FuelChangeRow[]> {
  const names = await data.names(changes.map(({ place }) => place));
  return changes.map((change, index) => ({ ...change, address: names[index]?.address ?? "" }));
}

type FuelTables = { history: FuelHistory; shown: FuelChangeRow[] };

function tablesOf(name: string, { history, shown }: FuelTables, options: FuelReportOptions, writer: Writer): Section[] {
  const { words } = writer;
  const header = options.showsDrains
    ? words("fillings and drains", "Betankungen und Entnahmen")
    : words("fillings", "Betankungen");
  const changes = createTable(
    {
      header: `${name}: ${header}`,
      fields: changeFields(writer),
      items: shown,
      grouping: byDay<FuelChangeRow>(writer),
      sourceOf: sourceOfLevels,
    },
    writer,
  );
  if (!options.showsDays) return changes;
  const days = createTable(
    {
      header: `${name}: ${words("by days", "nach Tagen")}`,
      fields: dayFields(options, writer),
      items: history.days,
      grouping: byName<FuelDay>(() => words("By days", "Nach Tagen")),
      sourceOf: sourceOfLevels,
    },
    writer,
  );
  return [...changes, ...days];
}

function changeFields({ words, ...writer }: Writer) {
  const fields = defineFields<FuelChangeRow>();
  const kind = (change: FuelChangeRow) =>
    isFilling(change) ? words("Filling", "Betankung") : words("Drain", "Entnahme");
  return [
    fields.text("type", words("Type", "Art"), (change) => writer.text(kind(change)), 1),
    fields.text("start", words("Time", "Zeit"), ({ start_time }) => writer.moment(start_time)),
    fields.value("before", writer.volumeTitle(words("Before", "Vorher")), ({ before }) => writer.volume(before)),
    fields.value("after", writer.volumeTitle(words("After", "Nachher")), ({ after }) => writer.volume(after)),
    fields.sum(
      "volume",
      writer.volumeTitle(words("Volume", "Menge")),
      writer.volume,
      ({ before, after }) => after - before,
    ),
    fields.text(
      "address",
      words("Address", "Adresse"),
      ({ place, address }) => writer.address({ ...place, address }),
      4,
    ),
  ];
}

function dayFields(options: FuelReportOptions, { words, ...writer }: Writer) {
  const fields = defineFields<FuelDay>();
  const consumed = (day: FuelDay) => consumedOf(day, options);
  const per100 = (all: FuelDay[]) => {
    const kilometers = sumOf(all, ({ meters }) => meters) / 1000;
    return writer.consumption(kilometers > 0 ? (sumOf(all, consumed) / kilometers) * 100 : 0);
  };
  return [
    fields.text("day", words("Day", "Tag"), ({ start_time }) => writer.day(start_time)),
    fields.value("start", writer.volumeTitle(words("At first", "Anfangs")), ({ start }) => writer.volume(start)),
    fields.value("end", writer.volumeTitle(words("At last", "Zuletzt")), ({ end }) => writer.volume(end)),
    fields.sum("filled", writer.volumeTitle(words("Filled", "Betankt")), writer.volume, ({ filled }) => filled),
    ...(options.showsDrains
      ? [
          fields.sum(
            "drained",
            writer.volumeTitle(words("Drained", "Entnommen")),
            writer.volume,
            ({ drained }) => drained,
          ),
        ]
      : []),
    fields.sum("consumed", writer.volumeTitle(words("Consumed", "Verbraucht")), writer.volume, consumed),
    fields.sum(
      "mileage",
      writer.distanceTitle(words("Mileage", "Strecke")),
      writer.distance,
      ({ meters }) => meters / 1000,
    ),
    fields.value("per_100", writer.consumptionTitle, (day) => per100([day]), per100),
  ];
}

/** The day's consumption. Drains count as consumption when the report does not show them. */
function consumedOf(
  { start, end, filled, drained, idle_loss }: FuelDay,
  { showsDrains, byIgnition }: FuelReportOptions,
) {
  return start - end + filled - (showsDrains ? drained : 0) - (byIgnition ? idle_loss : 0);
}

function summaryOf(
  { name, history: { changes, days }, range }: Tank,
  options: FuelReportOptions,
  { words, named }: Writer,
): NamedValue[] {
  const evidence = (levels: (FuelChange | FuelDay)[]) => sourceOfAll(levels.map(sourceOfLevels), range);
  const [fillings, drains] = [changes.filter(isFilling), changes.filter((change) => !isFilling(change))];
  return [
    named.volume(
      `${name}: ${words("filled", "betankt")}`,
      sumOf(days, ({ filled }) => filled),
      evidence(fillings),
    ),
    named.count(`${name}: ${words("fillings", "Betankungen")}`, fillings.length, evidence(fillings)),
    ...(options.showsDrains
      ? [
          named.volume(
            `${name}: ${words("drained", "entnommen")}`,
            sumOf(days, ({ drained }) => drained),
            evidence(drains),
          ),
        ]
      : []),
    named.volume(
      `${name}: ${words("consumed", "verbraucht")}`,
      sumOf(days, (day) => consumedOf(day, options)),
      evidence(days),
    ),
  ];
}

type Tank = { name: string; history: FuelHistory; range: { from: number; to: number } };

function sourceOfLevels({ start_time, end_time, place, points }: FuelChange | FuelDay) {
  return sourceOf({ from: start_time, to: end_time, point_count: points, points: [{ time: start_time, ...place }] });
}

function isFilling({ before, after }: FuelChange) {
  return after > before;
}

/** Each tank takes another pass over the points. */
const MAX_TANKS = 8;
