import { read, utils } from "@e965/xlsx";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import type { Position } from "#shared/geometry/position.ts";
import { asCsv } from "../../../../../test/tool/document/office.ts";
import { hasPrograms } from "../../../../../test/tool/document/programs.ts";
import type { Cell, Column, Sheet } from "../../layout/sheet.ts";
import { createWriter, toColumn } from "../../layout/writer.ts";
import { toReportDocument } from "../../report/document.ts";
import { writeXls } from "../xls.ts";
import { streamWorkbook } from "./stream-workbook.ts";

const hasOffice = hasPrograms("services/reports/src/file/workbook", "soffice");

const WRITER = createWriter({
  zone: "Europe/Berlin",
  language: "de",
  measurement_system: "metric",
  show_seconds: false,
});
const mapAddress = ({ lat, lng }: Position) => `https://map.example/?at=${lat},${lng}&z=1`;
const WAYS = { writer: WRITER, mapAddress };
/** 09:30 in Berlin. */
const MORNING = Date.parse("2026-05-02T07:30:15Z");
const COLUMNS = [
  toColumn("at", "Zeit", { isText: true }),
  toColumn("length", "Länge,\nkm"),
  toColumn("time", "Dauer"),
  toColumn("note", "Notiz", { isText: true }),
];

function sheetOf(header: string, rows: Record<string, Cell>[], columns: Column[] = COLUMNS): Sheet {
  const table = { type: "table" as const, header: "Fahrten", column_groups: [] as [], columns };
  return {
    header,
    entity_ids: [1],
    additional_field: "",
    sections: [{ ...table, data: [{ header: "2. Mai", rows }] }],
  };
}

function rowOf(note: string): Record<string, Cell> {
  const { moment, distance, duration, text } = WRITER;
  return { at: moment(MORNING), length: distance(1234.5), time: duration(90_061_000), note: text(note) };
}

async function* withoutCharts(sheets: Sheet[]) {
  for (const sheet of sheets) yield { sheet, charts: [] };
}

async function bookOf(sheets: Sheet[], head: { title: string; subtitle: string } | null = null) {
  const pieces: Uint8Array[] = [];
  const document = toReportDocument({ head, title: "Mai", sheets: withoutCharts(sheets) }, WAYS);
  for await (const piece of streamWorkbook(document)) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("a workbook has numbers, moments and durations as such, whatever their language, and everything else as text", async () => {
  const note = "=1+1 <&> \u0001 ü";
  const sheet = read(await bookOf([sheetOf("Van: 7", [rowOf(note)])])).Sheets["Van  7"] ?? {};
  const [at, length, time, text] = ["A5", "B5", "C5", "D5"].map((place) => sheet[place]);
  expect(utils.sheet_to_json(sheet, { header: 1 })[0]).toEqual(["Van: 7"]);
  expect([at.t, at.w]).toEqual(["n", "2026-05-02 09:30:15"]);
  expect([length.v, time.t, time.w, text.t, text.v, text.f]).toEqual([
    ...[1234.5, "n", "25:01:01", "s", note.replace("\u0001", ""), undefined],
  ]);
});

test("a workbook's place links to a map, unless its address is longer than a formula can hold", async () => {
  const placed = (address: string) => ({ ...rowOf(""), note: WRITER.address({ lat: 50.5, lng: -8, address }) });
  const rows = [placed('Am "Hof" & <Tor>'), placed("x".repeat(256)), rowOf("plain")];
  const sheet = read(await bookOf([sheetOf("Van", rows)]), { cellFormula: true }).Sheets.Van ?? {};
  const [link, long, plain] = ["D5", "D6", "D7"].map((place) => sheet[place]);
  expect([link.v, link.f]).toEqual([
    'Am "Hof" & <Tor>',
    'HYPERLINK("https://map.example/?at=50.5,-8&z=1","Am ""Hof"" & <Tor>")',
  ]);
  expect([long.v.length, long.f, plain.f]).toEqual([256, undefined, undefined]);
});

test("a workbook's title sheet comes first and names the others, no two sheets share a name, and no workbook is empty", async () => {
  const head = { title: "Mai", subtitle: "alles" };
  const book = read(await bookOf([sheetOf("Van", []), sheetOf("van", [])], head));
  expect(book.SheetNames).toEqual(["Mai", "Van", "van (2)"]);
  expect(utils.sheet_to_json(book.Sheets.Mai ?? {}, { header: 1 })).toEqual([["Mai"], ["alles"], [], ["Van"], ["van"]]);
  expect(read(await bookOf([])).SheetNames).toEqual(["Mai"]);
});

test("a workbook freezes the titles of the table, and makes columns as wide as their texts", async () => {
  const files = unzipSync(await bookOf([sheetOf("Van", [rowOf("a note of thirty characters ...")])]));
  const xml = strFromU8(files["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
  expect(xml).toContain('<pane ySplit="4" topLeftCell="A5"');
  expect(xml).toContain('<col min="4" max="4" width="33"');
});

test("a workbook keeps no sheet that was written while the next one is read", async () => {
  const sheets = [sheetOf("Van", [rowOf("a")]), sheetOf("Truck", [rowOf("b")])];
  const held: number[] = [];
  async function* all() {
    for (const sheet of sheets) {
      yield { sheet, charts: [] };
      held.push(sheet.sections.length);
    }
  }
  const book = streamWorkbook(toReportDocument({ head: null, title: "Mai", sheets: all() }, WAYS));
  for await (const piece of book) expect(piece.length).toBeGreaterThan(0);
  expect(held).toEqual([0, 0]);
});

test.runIf(hasOffice)("LibreOffice opens the XLSX and reads the same values", { timeout: 120_000 }, async () => {
  const text = await asCsv(await bookOf([sheetOf("Van", [rowOf("=1+1")])]), "xlsx");
  expect(text).toContain("2026-05-02 09:30:15,1234.5,25:01:01,=1+1");
});

test.runIf(hasOffice)(
  "LibreOffice opens the workbook as an XLS, where times are texts",
  { timeout: 120_000 },
  async () => {
    const sheets = withoutCharts([sheetOf("Van", [rowOf("=1+1")])]);
    const text = await asCsv(await writeXls(toReportDocument({ head: null, title: "Mai", sheets }, WAYS)), "xls");
    expect(text).toContain(`${WRITER.moment(MORNING).v},1234.5,25:01,=1+1`);
  },
);
