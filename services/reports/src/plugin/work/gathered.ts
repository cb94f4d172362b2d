import type { FilledForm } from "#shared/contract/report-source.ts";
import type { Section } from "../../layout/sheet.ts";
import { cutNote } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";

/** The records that a sheet shows, and a line where there are more. */
export async function gathered<Item extends { time: number }>(pages: AsyncGenerator<Item[]>, writer: Writer) {
  const items: (Item & { start_time: number })[] = [];
  for await (const page of pages) {
    for (const item of page) if (items.length < MOST_RECORDS) items.push({ ...item, start_time: item.time });
    if (items.length >= MOST_RECORDS) break;
  }
  const note: Section[] = items.length >= MOST_RECORDS ? [cutNote(writer)] : [];
  return { items, note };
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
