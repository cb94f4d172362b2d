import type { TableFormat } from "#shared/contract/table-document.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Language } from "#shared/text/language.ts";
import type { Section, Sheet } from "../layout/sheet.ts";
import { writeBook } from "./book.ts";
import { writePages } from "./pages.ts";
import type { ReportFile } from "./report-file.ts";

type Source = Omit<ReportFile, "sheets"> & { sheets: AsyncIterable<Sheet> };

/** The report as a file; 267 where that would take longer than two seconds. `limits` is JSON: cells and characters by format. */
export async function writeReport(
  { sheets, ...source }: Source,
  format: "pdf" | "xls",
  { language, limits }: { language: Language; limits: string },
): Promise<Uint8Array> {
  const most = (JSON.parse(limits) as Record<TableFormat, Size>)[format];
  const read: Sheet[] = [];
  const size = { cells: 0, characters: 0 };
  for await (const sheet of sheets) {
    for (const section of sheet.sections) add(size, section);
    if (size.cells > most.cells || size.characters > most.characters) throw tooLong(most);
    read.push(sheet);
  }
  const file = { ...source, sheets: read };
  return format === "pdf" ? writePages(file, language) : writeBook(file, language);
}

type Size = { cells: number; characters: number };

function add(size: Size, section: Section) {
  if (section.type === "text") return count(size, [section.text]);
  if (section.type === "map_table")
    return count(
      size,
      section.rows.flatMap(({ name, v }) => [name, v]),
    );
  for (const { rows, header } of section.data) {
    count(size, [header, ...section.columns.map(({ title }) => title)]);
    for (const row of rows)
      count(
        size,
        Object.values(row).map(({ v }) => v),
      );
  }
}

function count(size: Size, texts: string[]) {
  size.cells += texts.length;
  for (const text of texts) size.characters += text.length;
}

function tooLong({ cells, characters }: Size) {
  const error = `takes at most ${cells} cells with ${characters} characters; ask for fewer things or a shorter range`;
  return new ApiError(267, { errors: [{ parameter: "format", error }] });
}
