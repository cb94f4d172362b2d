import type { ReportVisit, ReportVisits } from "#shared/contract/report-source.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { SubjectReport } from "../../definition/plugin.ts";
import type { TrackerData } from "../../definition/tracker-data.ts";
import { createBarChart } from "../../layout/chart.ts";
import type { Section } from "../../layout/sheet.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byDay, byName, createTable, defineFields, summaryTable, sumOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";

export type VisitOptions = {
  thing: "zone" | "place";
  ids: number[];
  minMinutes: number;
  showsMileage: boolean;
  showsMissed: boolean;
  showsTags?: boolean;
  showsCharts: boolean;
  /** Groups rows by area instead of by day. */
  byThing: boolean;
};

/** Reports how long a tracker was in zones or at places. */
export async function createVisitReport(
  data: TrackerData,
  options: VisitOptions,
  writer: Writer,
): Promise<SubjectReport> {
  const { things, visits } = await data.visits(options.thing, [...new Set(options.ids)]);
  const long = visits.filter(({ start_time, end_time }) => end_time - start_time >= options.minMinutes * MINUTE_MS);
  const names = await data.names(long.map(({ location }) => location));
  const labels = new Map(things.map(({ id, label }) => [id, label]));
  const tags = options.showsTags ? await tagsOf(data, things) : new Map<number, string>();
  const items = long.map(
    (visit, index): VisitRow => ({
      ...{
        ...visit,
        label: labels.get(visit.thing_id) ?? "",
        tags: tags.get(visit.thing_id) ?? "",
        address: names[index]?.address ?? "",
      },
    }),
  );
  const { words } = writer;
  const table = createTable(
    {
      header: words("Visits", "Besuche"),
      fields: fieldsFor(options, writer),
      items,
      grouping: options.byThing ? byName<VisitRow>(({ label }) => label) : byDay<VisitRow>(writer),
      sourceOf: sourceOfVisit,
    },
    writer,
  );
  const evidence = sourceOfAll(items.map(sourceOfVisit), data);
  const summary = [
    writer.named.count(words("Visits", "Besuche"), items.length, evidence),
    writer.named.duration(words("Time there", "Zeit dort"), sumOf(items, lengthOf), evidence),
    writer.named.count(words("Visited", "Besucht"), new Set(items.map(({ thing_id }) => thing_id)).size, evidence),
  ];
  const { from, to } = data;
  const missed = options.showsMissed ? missedTable(things, { visits: items, range: { from, to } }, writer) : [];
  const sections = [...table, ...missed, summaryTable(summary, writer)];
  return { sections, summary, is_empty: items.length === 0, charts: options.showsCharts ? chartOf(items, writer) : [] };
}

type VisitRow = ReportVisit & { label: string; tags: string; address: string };

/** The tag names of each area. */
async function tagsOf(data: TrackerData, things: ReportVisits["things"]): Promise<Map<number, string>> {
  const names = await data.tagNames([...new Set(things.flatMap(({ tags }) => tags))]);
  return new Map(things.map(({ id, tags }) => [id, tags.flatMap((tag) => names.get(tag) ?? []).join(", ")]));
}

function fieldsFor({ showsMileage, showsTags }: VisitOptions, { words, ...writer }: Writer) {
  const fields = defineFields<VisitRow>();
  const mileage = writer.distanceTitle(words("Mileage there", "Strecke dort"));
  return [
    fields.text("name", words("Name", "Name"), ({ label }) => writer.text(label)),
    ...(showsTags ? [fields.text("tags", words("Tags", "Schlagwörter"), ({ tags }) => writer.text(tags))] : []),
    fields.text("entry", words("Arrival", "Ankunft"), ({ start_time }) => writer.moment(start_time)),
    fields.text("exit", words("Departure", "Abfahrt"), ({ end_time, is_ongoing }) =>
      is_ongoing ? writer.text("") : writer.moment(end_time),
    ),
    fields.text(
      "address",
      words("Address", "Adresse"),
      ({ location, address }) => writer.address({ ...location, address }),
      4,
    ),
    fields.sum("duration", words("Duration", "Dauer"), writer.duration, lengthOf),
    ...(showsMileage
      ? [fields.sum("mileage", mileage, writer.distance, ({ length_meters }) => length_meters / 1000)]
      : []),
  ];
}

function sourceOfVisit({ thing_id, start_time, end_time, location }: VisitRow) {
  const points = [{ time: start_time, ...location }];
  return sourceOf({ record_ids: [thing_id], from: start_time, to: end_time, points });
}

type VisitedAreas = { visits: VisitRow[]; range: { from: number; to: number } };

function missedTable(things: ReportVisits["things"], { visits, range }: VisitedAreas, writer: Writer): Section[] {
  const visited = new Set(visits.map(({ thing_id }) => thing_id));
  const missed = things.filter(({ id }) => !visited.has(id));
  const rows = missed.map(({ id, label }) => writer.named.count(label, 0, sourceOf({ record_ids: [id], ...range })));
  return [{ type: "map_table", header: writer.words("Not visited", "Nicht besucht"), rows }];
}

function chartOf(items: VisitRow[], writer: Writer) {
  const values = [...Map.groupBy(items, ({ thing_id }) => thing_id).values()].map((visits) => {
    const time = sumOf(visits, lengthOf);
    return { name: visits[0]?.label ?? "", text: writer.duration(time).v, value: time };
  });
  return createBarChart(writer.words("Time there", "Zeit dort"), values);
}

function lengthOf({ start_time, end_time }: ReportVisit) {
  return end_time - start_time;
}
