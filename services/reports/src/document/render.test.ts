import { readFileSync } from "node:fs";
import { read, utils } from "@e965/xlsx";
import { unzipSync } from "fflate";
import { XmlDocument } from "libxml2-wasm";
import { expect, test } from "vitest";
import type { TableDocument } from "#shared/contract/file/table-document.ts";
import { readTestFont } from "#test/tool/document/fonts.ts";
import { asCsv } from "#test/tool/document/office.ts";
import { pagesOf } from "#test/tool/document/pdf.ts";
import { hasPrograms } from "#test/tool/document/programs.ts";
import { renderTable } from "./render.ts";

const hasOffice = hasPrograms("services/reports/src/document", "soffice");

const jpeg = new Uint8Array(readFileSync("test/fixtures/exif/Landscape_1.jpg"));
const document: TableDocument = {
  title: "Check-ins",
  subtitle: "Today",
  columns: [
    { title: "Time", kind: "short" },
    { title: "Files", kind: "number" },
  ],
  groups: [{ heading: null, rows: [["08:00", 2]] }],
};
const writeSheet = (table: TableDocument, format: "xls" | "xlsx") =>
  renderTable(table, format, { language: "en", read: readTestFont });
const pictures = [
  { caption: "08:00, Van 7", jpeg },
  { caption: "09:00, Van 8", jpeg },
];

test("an XLSX has each picture beside its caption below the table, and its parts are named and well-formed", async () => {
  const book = await writeSheet({ ...document, pictures }, "xlsx");
  const parts = unzipSync(book);
  const media = Object.keys(parts).filter((path) => path.startsWith("xl/media/"));
  expect(media).toHaveLength(2);
  for (const path of media) expect(Buffer.from(parts[path] ?? []).equals(jpeg)).toBe(true);
  for (const [path, bytes] of Object.entries(parts)) {
    if (/\.(xml|rels)$/.test(path)) XmlDocument.fromBuffer(bytes).dispose();
  }
  const drawing = Buffer.from(parts["xl/drawings/drawing1.xml"] ?? []).toString();
  expect([...drawing.matchAll(/<xdr:row>(\d+)</g)].map(([, row]) => Number(row))).toEqual([6, 7]);
  const sheet = read(book).Sheets["Check-ins"] ?? {};
  const rows = utils.sheet_to_json<string[]>(sheet, { header: 1, blankrows: true });
  expect([rows[6]?.[0], rows[7]?.[0]]).toEqual(["08:00, Van 7", "09:00, Van 8"]);
});

test("an XLSX without pictures and an XLS have no part for pictures", async () => {
  expect(Object.keys(unzipSync(await writeSheet(document, "xlsx"))).join()).not.toContain("drawing");
  expect(await writeSheet({ ...document, pictures }, "xls")).toEqual(await writeSheet(document, "xls"));
});

const grouped: TableDocument = {
  ...document,
  groups: [
    { heading: "Monday", rows: [["08:00", 1234.5]], total: ["Total", 1234.5] },
    { heading: "Tuesday", rows: [["=1+1", null]] },
  ],
};

test("a PDF repeats its titles below each heading, and a workbook has them once above all", async () => {
  const pdf = await renderTable(grouped, "pdf", { language: "de", read: readTestFont });
  const [page = ""] = pagesOf(pdf);
  expect(page.split("\n").slice(2)).toEqual([
    ...["Check-ins", "Today", "Monday", "Time", "Files", "08:00", "1.234,5", "Total", "1.234,5"],
    ...["Tuesday", "Time", "Files", "=1+1"],
  ]);
  for (const format of ["xls", "xlsx"] as const) {
    const sheet = read(await writeSheet(grouped, format)).Sheets["Check-ins"] ?? {};
    expect(utils.sheet_to_json(sheet, { header: 1 }), format).toEqual([
      ...[["Check-ins"], ["Today"], [], ["Time", "Files"], ["Monday"], ["08:00", 1234.5], ["Total", 1234.5]],
      ...[["Tuesday"], ["=1+1"]],
    ]);
  }
});

test("a CSV has the table alone behind a byte order mark, with formulas as text", async () => {
  const csv = await renderTable(grouped, "csv", { language: "de", read: readTestFont });
  const lines = ["Time,Files", "Monday", "08:00,1234.5", "Total,1234.5", "Tuesday", "'=1+1,", ""];
  expect(Buffer.from(csv).toString()).toBe(`\ufeff${lines.join("\r\n")}`);
});

test.runIf(hasOffice).each(["xls", "xlsx"] as const)(
  "LibreOffice opens the %s and reads the same table",
  { timeout: 120_000 },
  async (format) => {
    const text = await asCsv(await writeSheet({ ...grouped, pictures }, format), format);
    expect(text).toContain("Check-ins,\nToday,\n,\nTime,Files\nMonday,\n08:00,1234.5\nTotal,1234.5\nTuesday,\n=1+1,\n");
    expect(text.includes("Van 8")).toBe(format === "xlsx");
  },
);
