import { expect, test } from "vitest";
import type { TableDocument } from "#shared/contract/file/table-document.ts";
import { checkSize, measureDocument } from "./limits.ts";

const DOCUMENT: TableDocument = {
  title: "Journal",
  subtitle: "May",
  columns: [
    { title: "Start", kind: "short" },
    { title: "Length", kind: "number" },
  ],
  groups: [
    { heading: "Work", rows: [["08:00", 12.5]], total: ["Total", 12.5] },
    { heading: null, rows: [["09:00", null]] },
  ],
};

test("measureDocument counts cells and characters with titles, headings and totals", () => {
  expect(measureDocument(DOCUMENT)).toEqual({ cells: 10, characters: 7 + 3 + 2 * 11 + 4 + 9 + 9 + 5 });
});

test("checkSize refuses a document with a cell or a character too many for its format (267), and names limit and size", () => {
  const limits = (cells: number, characters: number) =>
    JSON.stringify({ pdf: { cells, characters }, xlsx: { cells: 10, characters: 59 } });
  expect(checkSize(DOCUMENT, "pdf", limits(10, 59))).toBeNull();
  for (const [cells, characters] of [
    [9, 59],
    [10, 58],
  ] as const) {
    const error = `takes at most ${cells} cells with ${characters} characters; these are 10 with 59`;
    const refusal = { refused: 267, errors: [{ parameter: "format", error }] };
    expect(checkSize(DOCUMENT, "pdf", limits(cells, characters))).toEqual(refusal);
    expect(checkSize(DOCUMENT, "xlsx", limits(cells, characters))).toBeNull();
  }
});
