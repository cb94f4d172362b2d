import type { Group, TableDocument, TableFormat } from "#shared/contract/file/table-document.ts";
import type { TooLong } from "#shared/contract/reports.ts";

/**
 * The refusal of a document that would take longer than two seconds; null if it is small enough. `limits` is JSON:
 * cells and characters by format.
 */
export function checkSize(document: TableDocument, format: TableFormat, limits: string): TooLong | null {
  const limit = (JSON.parse(limits) as Record<TableFormat, DocumentSize>)[format];
  const { cells, characters } = measureDocument(document);
  if (cells <= limit.cells && characters <= limit.characters) return null;
  const error = `takes at most ${limit.cells} cells with ${limit.characters} characters; these are ${cells} with ${characters}`;
  return { refused: 267, errors: [{ parameter: "format", error }] };
}

type DocumentSize = { cells: number; characters: number };

/** Counts the titles of the columns for each group, because each group repeats them. */
export function measureDocument({ title, subtitle, columns, groups }: TableDocument): DocumentSize {
  const titles = charactersOf(columns.map((column) => column.title));
  const size = { cells: 0, characters: title.length + subtitle.length };
  for (const { heading, rows, total = [] } of groups) {
    size.cells += columns.length + total.length + rows.reduce((sum, row) => sum + row.length, 0);
    size.characters += titles + (heading?.length ?? 0) + charactersOf(total);
    for (const row of rows) size.characters += charactersOf(row);
  }
  return size;
}

function charactersOf(cells: Group["rows"][number]) {
  return cells.reduce((sum: number, cell) => sum + String(cell ?? "").length, 0);
}
