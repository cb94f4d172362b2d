import * as z from "zod";
import type { ReportEvent } from "#shared/contract/report-source.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import type { TrackerData } from "../../definition/tracker-data.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byDay, createTable, defineFields, MAX_TABLE_ROWS, sumOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { addAreasToEvents } from "../../series/areas.ts";

export const crossings = plugin({
  id: 89,
  title: ["Geofence entry and exit events", "Ereignisse an Zonengrenzen"],
  parameters: z.object({ ...SECONDS, ...TABS, min_minutes_in_zone: z.int().min(0).max(1440).default(0) }),
  async reportTracker(data, { min_minutes_in_zone }, writer) {
    const { words, named } = writer;
    const long = (await pairsOf(data)).filter(
      ({ start_time, end_time }) => end_time === null || end_time - start_time >= min_minutes_in_zone * MINUTE_MS,
    );
    const entries = await addAreasToEvents(
      data,
      long.map(({ entry }) => entry),
    );
    const pairs = long.map((pair, index) => ({ ...pair, entry: entries[index] ?? pair.entry }));
    const table = createTable(
      {
        header: words("Entry and exit events", "Ein- und Ausfahrten"),
        fields: fieldsFor(writer),
        items: pairs,
        grouping: byDay<Pair>(writer),
        sourceOf: sourceOfPair,
      },
      writer,
    );
    const evidence = sourceOfAll(pairs.map(sourceOfPair), data);
    const summary = [
      named.count(words("Visits", "Besuche"), pairs.length, evidence),
      named.duration(words("Time in zones", "Zeit in Zonen"), sumOf(pairs, lengthOf), evidence),
    ];
    return { sections: table, summary, is_empty: pairs.length === 0 };
  },
});

/** A visit of a zone; without an exit event within the range it has no end. */
type Pair = { start_time: number; end_time: number | null; zone: string; entry: ReportEvent; exit: ReportEvent | null };

function sourceOfPair({ entry, exit }: Pair) {
  return sourceOf({
    record_ids: [entry.id, ...(exit ? [exit.id] : [])],
    ...{ from: entry.time, to: exit?.time ?? entry.time },
    points: [entry, exit].map((event) => (event?.location ? { ...event.location, time: event.time } : null)),
  });
}

async function pairsOf(data: TrackerData): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const open = new Map<number, Pair>();
  for await (const page of data.events(["inzone", "outzone"])) {
    for (const event of page) {
      for (const [index, zone_id] of event.zone_ids.entries()) {
        if (event.event === "outzone") {
          const pair = open.get(zone_id);
          if (pair) Object.assign(pair, { end_time: event.time, exit: event });
          open.delete(zone_id);
        } else if (pairs.length < MAX_TABLE_ROWS) {
          const zone = event.zone_labels[index] ?? "";
          const pair = { start_time: event.time, end_time: null, zone, entry: event, exit: null };
          pairs.push(pair);
          open.set(zone_id, pair);
        }
      }
    }
  }
  return pairs;
}

function fieldsFor({ words, ...writer }: Writer) {
  const fields = defineFields<Pair>();
  return [
    fields.text("zone", words("Zone", "Zone"), ({ zone }) => writer.text(zone)),
    fields.text("entry", words("Entry", "Einfahrt"), ({ start_time }) => writer.moment(start_time)),
    fields.text("exit", words("Exit", "Ausfahrt"), ({ end_time }) =>
      end_time === null ? writer.text("") : writer.moment(end_time),
    ),
    fields.sum("duration", words("Duration", "Dauer"), writer.duration, lengthOf),
    fields.text(
      "address",
      words("Address", "Adresse"),
      ({ entry: { location, address } }) =>
        location ? writer.address({ ...location, address }) : writer.text(address),
      4,
    ),
  ];
}

function lengthOf({ start_time, end_time }: Pair) {
  return end_time === null ? 0 : end_time - start_time;
}
