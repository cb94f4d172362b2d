import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import type { Sheet } from "../layout/sheet.ts";
import { toColumn } from "../layout/writer.ts";
import { toDocumentPart } from "../report/document.ts";
import { streamCsv, streamCsvZip } from "./csv.ts";

function sheetOf(header: string, texts: string[]): Sheet {
  const columns = [toColumn("a", "A,\nkm"), toColumn("b", "B")];
  const rows = texts.map((v) => ({ a: { v, raw: 0, type: "value" as const } }));
  const table = { type: "table" as const, header: "Trips", column_groups: [] as [], columns };
  return { header, entity_ids: [1], additional_field: "", sections: [{ ...table, data: [{ header: "May", rows }] }] };
}

async function bytesOf(make: typeof streamCsv, sheets: Sheet[]) {
  async function* all() {
    for (const sheet of sheets) yield toDocumentPart({ sheet, charts: [] });
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of make(all())) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("streamCsv quotes fields with commas, quotes and line breaks, and writes formulas as text", async () => {
  const texts = ['say "hi"', "1,5", "=1+1", "@SUM(A1)", "-2", "-2+3", "ü"];
  const text = (await bytesOf(streamCsv, [sheetOf("Van", texts)])).toString();
  expect(text).toBe(
    [
      ...["\ufeffVan", "", "Trips", "May", '"A,\nkm",B', '"say ""hi""",', '"1,5",', "'=1+1,", "'@SUM(A1),"],
      ...["-2,", "'-2+3,", "ü,", ""],
    ].join("\r\n"),
  );
});

test("streamCsvZip makes a ZIP with a file for each sheet, no two of one name", async () => {
  const files = unzipSync(await bytesOf(streamCsvZip, [sheetOf("Van: 7", ["1"]), sheetOf("van: 7", ["2"])]));
  expect(Object.keys(files)).toEqual(["Van  7.csv", "van  7 (2).csv"]);
  const second = Buffer.from(files["van  7 (2).csv"] ?? []).toString();
  expect([second.startsWith("\ufeffvan: 7\r\n"), second.endsWith("\r\n2,\r\n")]).toEqual([true, true]);
});
