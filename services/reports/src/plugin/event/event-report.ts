import * as z from "zod";
import type { EventName } from "#shared/contract/event/event.ts";
import { EVENTS } from "#shared/contract/event/event.ts";
import type { ReportEvent } from "#shared/contract/report-source.ts";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { type Plugin, plugin, type SubjectReport } from "../../definition/plugin.ts";
import type { TrackerData } from "../../definition/tracker-data.ts";
import { sourceOfAll, sourceOfRecord } from "../../layout/source.ts";
import { byDay, byName, createTable, cutNote, defineFields, MAX_TABLE_ROWS } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { addAreasToEvents } from "../../series/areas.ts";

/** A plugin that reports events with these names. */
export function eventPlugin(id: Plugin["id"], title: Plugin["title"], names: EventName[]): Plugin {
  return plugin({
    id,
    title,
    parameters: z.object({ ...SECONDS, ...TABS }),
    reportTracker: (data, _, writer) => createEventReport(data, { names, title, byType: false }, writer),
  });
}

type EventOptions = { names: EventName[] | null; title: Plugin["title"]; byType: boolean };

export async function createEventReport(
  data: TrackerData,
  { names, title, byType }: EventOptions,
  writer: Writer,
): Promise<SubjectReport> {
  const { items: found, isCut } = await collectEvents(data, names, writer);
  const items = await addAreasToEvents(data, found);
  const table = createTable(
    {
      header: writer.words(...title),
      fields: fieldsFor(writer),
      items,
      sourceOf: sourceOfRecord,
      grouping: byType ? byName<EventRow>(({ event }) => EVENTS[event]) : byDay<EventRow>(writer),
    },
    writer,
  );
  const counts = [...Map.groupBy(items, ({ event }) => event)];
  const count = (name: string, all: EventRow[]) =>
    writer.named.count(name, all.length, sourceOfAll(all.map(sourceOfRecord), data));
  const summary = [
    count(writer.words("Events", "Ereignisse"), items),
    ...(counts.length > 1 ? counts.map(([event, all]) => count(EVENTS[event], all)) : []),
  ];
  return { sections: isCut ? [...table, cutNote(writer)] : table, summary, is_empty: items.length === 0 };
}

type EventRow = ReportEvent & { start_time: number };

/** Collects events up to the limits per day and per table. */
async function collectEvents(data: TrackerData, names: EventName[] | null, { dayOf }: Writer) {
  const items: EventRow[] = [];
  const counts = new Map<string, number>();
  let isCut = false;
  for await (const page of data.events(names)) {
    for (const event of page) {
      const day = dayOf(event.time);
      const count = (counts.get(day) ?? 0) + 1;
      counts.set(day, count);
      if (count > MAX_EVENTS_PER_DAY || items.length >= MAX_TABLE_ROWS) isCut = true;
      else items.push({ ...event, start_time: event.time });
    }
    if (items.length >= MAX_TABLE_ROWS) break;
  }
  return { items, isCut };
}

function fieldsFor({ words, ...writer }: Writer) {
  const fields = defineFields<EventRow>();
  return [
    fields.text("time", words("Time", "Zeit"), ({ time }) => writer.moment(time)),
    fields.text("event", words("Event", "Ereignis"), ({ event, message }) => writer.text(message || EVENTS[event]), 3),
    fields.text(
      "address",
      words("Address", "Adresse"),
      ({ location, address }) => (location ? writer.address({ ...location, address }) : writer.text(address)),
      4,
    ),
    fields.text("employee", words("Employee", "Mitarbeiter"), ({ employee }) => writer.text(employee)),
  ];
}

/** Longer days are not readable. */
const MAX_EVENTS_PER_DAY = 10_000;
