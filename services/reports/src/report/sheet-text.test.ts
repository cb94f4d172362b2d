import { expect, test } from "vitest";
import type { Row, RowGroup, Sheet } from "../layout/sheet.ts";
import { parseSheet, serializeSheet } from "./sheet-text.ts";

function rowsOf(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    a: { v: `${index}\n],\n{"`, raw: index, type: "value" },
    b: { v: "}],", raw: 0, type: "value", location: { lat: 1, lng: 2 } },
  }));
}

function sheetOf(...groups: Partial<RowGroup>[]): Sheet {
  const data = groups.map((group, index) => ({ header: `Day ${index}`, rows: [], ...group }));
  const table = { type: "table" as const, header: "Trips\n]", column_groups: [] as [], columns: [], data };
  const list = { type: "map_table" as const, header: "Sum", rows: [{ name: "N", v: "1", raw: 1, highlight: false }] };
  return { header: "Van\n]", entity_ids: [1], additional_field: "", sections: [table, list, table] };
}

const SHEETS = [
  sheetOf(),
  sheetOf({}),
  sheetOf({ rows: rowsOf(1) }),
  sheetOf({}, { rows: rowsOf(3), total: { text: "In total:" } }, {}, { rows: rowsOf(2) }),
];

test.each(SHEETS)("parseSheet gives back the sheet that serializeSheet wrote, as JSON and row by row", (sheet) => {
  const text = serializeSheet(sheet);
  expect(JSON.parse(text)).toEqual(sheet);
  const kept = parseSheet(text);
  const groups = kept.sections.flatMap((section) => (section.type === "table" ? section.data : []));
  const plain = sheet.sections.flatMap((section) => (section.type === "table" ? section.data : []));
  expect(groups.map(({ rows }) => [rows.length, [...rows]])).toEqual(plain.map(({ rows }) => [rows.length, rows]));
  // A parsed sheet is written again without parsing its rows.
  expect(serializeSheet(kept)).toBe(text);
});

test("parseSheet gives any part of the rows, any number of times", () => {
  const [section] = parseSheet(serializeSheet(sheetOf({ rows: rowsOf(5) }))).sections;
  const rows = section?.type === "table" ? section.data[0]?.rows : undefined;
  const some = (from: number, to: number) => rows?.slice(from, to).map(({ a }) => a?.raw);
  expect([some(1, 3), some(4, 9), some(5, 9), some(0, 0)]).toEqual([[1, 2], [4], [], []]);
  expect([...(rows ?? [])]).toEqual([...(rows ?? [])]);
});
