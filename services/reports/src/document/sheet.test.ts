import { readFileSync } from "node:fs";
import { read, utils } from "@e965/xlsx";
import { unzipSync } from "fflate";
import { XmlDocument } from "libxml2-wasm";
import { expect, test } from "vitest";
import type { TableDocument } from "#shared/contract/table-document.ts";
import { writeSheet } from "./sheet.ts";

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
const pictures = [
  { caption: "08:00, Van 7", jpeg },
  { caption: "09:00, Van 8", jpeg },
];

test("an XLSX has each picture beside its caption below the table, and all its parts are named and well-formed", () => {
  const book = writeSheet({ ...document, pictures }, "xlsx");
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

test("a document without pictures, and an XLS, has no part for them", () => {
  expect(Object.keys(unzipSync(writeSheet(document, "xlsx"))).join()).not.toContain("drawing");
  expect(writeSheet({ ...document, pictures }, "xls")).toEqual(writeSheet(document, "xls"));
});
