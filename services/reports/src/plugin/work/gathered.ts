import type { FilledForm } from "#shared/contract/report-source.ts";
import type { TrackerData } from "../../definition/tracker-data.ts";
import type { Section } from "../../layout/sheet.ts";
import { cutNote, type Field, fieldsOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { areasOf, namedRecords } from "../../series/areas.ts";

type Located = { time: number; location: { lat: number; lng: number; address: string } | null };
type Gathering = { data: TrackerData; showsAreas: boolean };
export type Gathered<Item> = Item & { start_time: number; areas: string[] };

/** The records that a sheet shows, with the places and zones of each where they are wished for, and a line where there are more. */
export async function gathered<Item extends Located>(
  pages: AsyncGenerator<Item[]>,
  { data, showsAreas }: Gathering,
  writer: Writer,
) {
  const found: Item[] = [];
  for await (const page of pages) {
    for (const item of page) if (found.length < MOST_RECORDS) found.push(item);
    if (found.length >= MOST_RECORDS) break;
  }
  const note: Section[] = found.length >= MOST_RECORDS ? [cutNote(writer)] : [];
  const areas = showsAreas ? await areasOf(data, found, { places: true, zones: true }) : [];
  const named = await namedRecords(data, found);
  const items = named.map((item, index): Gathered<Item> => {
    return { ...item, start_time: item.time, areas: areas[index] ?? [] };
  });
  return { items, note };
}

/** The column of these places and zones. */
export function areaFields<Item>(isShown: boolean, { words, text }: Writer): Field<Gathered<Item>>[] {
  if (!isShown) return [];
  const title = words("Places and zones", "Orte und Zonen");
  return [fieldsOf<Gathered<Item>>().text("areas", title, ({ areas }) => text(areas.join(", ")), 3)];
}

/** Each field that was filled in, on a line of its own. */
export function formText(form: FilledForm | null): string {
  if (!form) return "";
  const lines = form.fields.filter(({ value }) => value !== "").map(({ label, value }) => `${label}: ${value}`);
  return [form.label, ...lines].join("\n").slice(0, LONGEST_TEXT);
}

/** With their forms, as much as memory should hold. */
const MOST_RECORDS = 5000;
const LONGEST_TEXT = 4000;
