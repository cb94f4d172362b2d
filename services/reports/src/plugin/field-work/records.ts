import type { FilledForm } from "#shared/contract/report-source.ts";
import type { TrackerData } from "../../definition/tracker-data.ts";
import type { Section } from "../../layout/sheet.ts";
import { cutNote, defineFields, type Field } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { addAreasToRecords, findAreas } from "../../series/areas.ts";

type Located = { time: number; location: { lat: number; lng: number; address: string } | null };
type RecordOptions = { data: TrackerData; showsAreas: boolean };
export type RecordRow<Item> = Item & { start_time: number; areas: string[] };

/** Collects the records of a sheet, with the areas of each if wanted, and a note when there are more records. */
export async function collectRecords<Item extends Located>(
  pages: AsyncGenerator<Item[]>,
  { data, showsAreas }: RecordOptions,
  writer: Writer,
) {
  const found: Item[] = [];
  for await (const page of pages) {
    for (const item of page) if (found.length < MAX_RECORDS) found.push(item);
    if (found.length >= MAX_RECORDS) break;
  }
  const note: Section[] = found.length >= MAX_RECORDS ? [cutNote(writer)] : [];
  const areas = showsAreas ? await findAreas(data, found, { places: true, zones: true }) : [];
  const located = await addAreasToRecords(data, found);
  const items = located.map((item, index): RecordRow<Item> => {
    return { ...item, start_time: item.time, areas: areas[index] ?? [] };
  });
  return { items, note };
}

/** The column of areas, if it is wanted. */
export function areaFields<Item>(isShown: boolean, { words, text }: Writer): Field<RecordRow<Item>>[] {
  if (!isShown) return [];
  const title = words("Places and zones", "Orte und Zonen");
  return [defineFields<RecordRow<Item>>().text("areas", title, ({ areas }) => text(areas.join(", ")), 3)];
}

/** The label of the form, then a line for each field with a value. */
export function formText(form: FilledForm | null): string {
  if (!form) return "";
  const lines = form.fields.filter(({ value }) => value !== "").map(({ label, value }) => `${label}: ${value}`);
  return [form.label, ...lines].join("\n").slice(0, MAX_TEXT_CHARACTERS);
}

/** Bounds the memory for records and their forms. */
const MAX_RECORDS = 5000;
const MAX_TEXT_CHARACTERS = 4000;
