import type { Language } from "#shared/text/language.ts";
import { zoneOffsetMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Line, type LineCell, linesOf, type MapAddress, releasing } from "../../layout/lines.ts";
import type { Sheet } from "../../layout/sheet.ts";
import type { Writer } from "../../layout/writer.ts";
import { numberOf } from "../number.ts";
import { nameFor } from "../sheet-name.ts";
import type { SheetCell } from "./cells.ts";
import { type WorkSheet, workbookOf } from "./stream.ts";

type Source = {
  /** For the title sheet, which names the others; null: none. */
  head: { title: string; subtitle: string } | null;
  title: string;
  sheets: AsyncIterable<Sheet>;
};
type Ways = { writer: Writer; mapAddress: MapAddress };

/** A sheet for each thing, behind a title sheet; never more than one of them in memory. */
export function reportWorkbook({ head, title, sheets }: Source, ways: Ways): AsyncGenerator<Uint8Array> {
  const taken = new Set<string>();
  const headers: string[] = [];
  const titleName = head && nameFor(title, taken);

  async function* all(): AsyncGenerator<WorkSheet> {
    for await (const sheet of sheets) {
      headers.push(sheet.header);
      yield { name: nameFor(sheet.header, taken), ...contentOf(sheet, ways) };
    }
  }

  function front(): WorkSheet[] {
    const text = (value: string, bold = false): SheetCell[] => [{ kind: "text", text: value, bold }];
    const plain = { frozen: 0, widths: [WIDEST] };
    if (head && titleName !== null) {
      const rows = [text(head.title, true), text(head.subtitle), [], ...headers.map((header) => text(header))];
      return [{ name: titleName, rows, ...plain }];
    }
    // A book without a sheet does not open.
    return headers.length > 0 ? [] : [{ name: nameFor(title, taken), rows: [text(title)], ...plain }];
  }
  return workbookOf(all(), front);
}

function contentOf(sheet: Sheet, ways: Ways): Omit<WorkSheet, "name"> {
  const { frozen, widths } = measured(sheet);
  return { frozen, widths, rows: rowsOf(sheet, ways) };
}

function* rowsOf({ header, sections }: Sheet, ways: Ways): Generator<SheetCell[]> {
  yield [{ kind: "text", text: header, bold: true }];
  for (const section of releasing(sections)) {
    for (const { kind, cells } of linesOf(section)) {
      const bold = kind !== "values";
      yield cells.map((cell) => ({ ...shownAs(cell, ways), bold }));
    }
    yield [];
  }
}

/** Of the first lines; the titles of the first table stay in sight. */
function measured({ sections }: Sheet) {
  const widths: number[] = [];
  let frozen = 1;
  let passed = 1;
  for (const line of firstLines(sections)) {
    passed++;
    if (line.kind === "titles" && passed <= MOST_FROZEN) frozen = Math.max(frozen, passed);
    // A heading may be longer than its column.
    if (line.cells.length < 2) continue;
    for (const [index, { text }] of line.cells.entries())
      widths[index] = Math.min(WIDEST, Math.max(widths[index] ?? 8, text.length + 2));
  }
  return { frozen, widths };
}

function* firstLines(sections: Sheet["sections"]): Generator<Line> {
  let count = 0;
  for (const section of sections) {
    for (const line of linesOf(section)) {
      if (++count > MEASURED) return;
      yield line;
    }
    // Sections are an empty row apart.
    yield { kind: "values", cells: [] };
  }
}

/** A number, a moment or a duration where the text is one as the writer writes it, a place where it has one; else the text. */
function shownAs({ text, column, raw, location }: LineCell, { writer, mapAddress }: Ways): SheetCell {
  if (location) return { kind: "link", text, address: mapAddress(location) };
  if (raw === undefined || text === "") return { kind: "text", text };
  if (raw > FIRST_MOMENT && writer.moment(raw).v === text) return { kind: "date", value: serialOf(raw, writer.zone) };
  if (raw > FIRST_MOMENT && writer.day(raw).v === text)
    return { kind: "day", value: Math.floor(serialOf(raw, writer.zone)) };
  if (column?.align !== "right") return { kind: "text", text };
  // What the text leaves out, as seconds, the number has.
  if (DURATION.test(text)) return { kind: "duration", value: raw / 86_400 };
  return numberCell(text, writer.language);
}

function numberCell(text: string, language: Language): SheetCell {
  const value = numberOf(text, language);
  return value === undefined ? { kind: "text", text } : { kind: "number", value };
}

/** Days since 1899-12-30 by the clock of the zone. */
function serialOf(ms: number, zone: string) {
  return (ms + zoneOffsetMs(ms, zone)) / DAY_MS + UNIX_DAY;
}

const WIDEST = 60;
const MEASURED = 1000;
const MOST_FROZEN = 6;
const UNIX_DAY = 25_569;
/** In 1970: no duration in seconds and no distance is as large as a moment is. */
const FIRST_MOMENT = 10_000_000_000;
const DURATION = /^\d{2,}:\d\d(:\d\d)?$/;
