import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { utils, write } from "@e965/xlsx";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";
import { ROOT } from "../../../../scripts/workers.ts";
import { parseSheet, toTabSeparated } from "./parse.ts";

const MIB = 1024 * 1024;
const CRANE = ["Zoë", "Иванова", "4930123456789", "2031-05-02", "000042", "crane, hazardous"];

function fixture(name: string) {
  return new Uint8Array(readFileSync(join(ROOT, "test", "fixtures", "sheets", name)));
}

function rowsIn(name: string, bytes: Uint8Array = fixture(name), limit = 100) {
  return parseSheet({ name, type: "", bytes }, limit);
}

function text(content: string) {
  return new TextEncoder().encode(content);
}

/** A CSV text with a number of characters in a number of cells. */
function sharing(characters: number, cells: number) {
  const shared = `<sst><si><t>${"x".repeat(characters)}</t></si></sst>`;
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(41)}</row>`;
  const rest = `<row>${'<c t="s"><v>0</v></c>'.repeat(cells % 41)}</row>`;
  return workbook(row.repeat(Math.floor(cells / 41)) + rest, shared);
}

function workbook(sheet: string, shared = "<sst/>") {
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const parts = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${type}.sharedStrings+xml"/></Types>`,
    "xl/workbook.xml": `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    "xl/sharedStrings.xml": shared,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));
}

test.each(["staff.xlsx", "staff.xls"])(
  "parseSheet of %s gives values as stored, whatever their format, and keeps empty rows only between others",
  (name) => {
    const [header, crane, bo, empty, ann, ...more] = rowsIn(name);
    expect(header).toEqual(["Name", "Surname", "Phone", "Licence until", "Number", "Skills"]);
    expect(crane).toEqual(CRANE);
    expect(bo?.slice(0, 6)).toEqual(["Bo", "", "", "", "43", "true"]);
    expect(empty?.every((cell) => cell === "")).toBe(true);
    expect(ann?.slice(0, 5)).toEqual(["Ann", '"Lee"', "0049301", "", "1.5"]);
    expect(more).toEqual([]);
    expect(rowsIn(name, undefined, 3)).toHaveLength(2);
  },
);

const GERMAN = [
  ["Vorname", "Nachname", "Straße"],
  ["Jörg", "Müller", "Große Gasse 5; Hof"],
  ["Zoë", "Weiß", "Ähre"],
];

test.each<[string, string[][]]>([
  ["windows-1252.csv", GERMAN],
  ["utf-16le.csv", GERMAN],
  ["utf-8-bom.csv", GERMAN],
  [
    "windows-1251.csv",
    [
      ["Имя", "Фамилия", "Телефон"],
      ["Иван", "Петров", "74951234567"],
      ["Ольга", "Сергеева", "78121234567"],
      ["Пётр", "Щербаков", ""],
    ],
  ],
  [
    "comma_in_quotes.csv",
    [
      ["first", "last", "address", "city", "zip"],
      ["John", "Doe", "120 any st.", "Anytown, WW", "08123"],
    ],
  ],
  [
    "escaped_quotes.csv",
    [
      ["a", "b"],
      ["1", 'ha "ha" ha'],
      ["3", "4"],
    ],
  ],
  [
    "newlines_crlf.csv",
    [
      ["a", "b", "c"],
      ["1", "2", "3"],
      ["Once upon a time", "5", "6"],
      ["7", "8", "9"],
    ],
  ],
  [
    "utf8.csv",
    [
      ["a", "b", "c"],
      ["1", "2", "3"],
      ["4", "5", "ʤ"],
    ],
  ],
])("rowsIn of %s finds its encoding, separator and quotes", (name, expected) => {
  expect(rowsIn(name)).toEqual(expected);
});

/** The rows that an office program saved in each format; it replaces characters that the old encoding lacks. */
const SAVED = [
  ["Name", "Address", "Lat", "Lng", "Since", "Price"],
  ["Школа «Ёж»", "Hauptstraße 5, Wien", "48.2082", "16.3738", "2026-03-29", "1234,56"],
  ["Lager 東京", "Ginza 4", "35.6717", "139.765", "2026-11-01", "7"],
  ['Mit;Semikolon "q"', "", "1.5", "2.25"],
];

test.each(["saved.xlsx", "saved.xls", "saved-utf-8.csv", "saved-utf-16.csv", "saved-windows-1251.csv"])(
  "parseSheet of %s gives the rows that an office program saved, like every other format",
  (name) => {
    const inOldEncoding = (cell: string) => cell.replace("ß", "?").replace("東京", "Ост");
    const expected = name.includes("1251") ? SAVED.map((row) => row.map(inOldEncoding)) : SAVED;
    expect(rowsIn(name).map((row, index) => row.slice(0, expected[index]?.length))).toEqual(expected);
    expect(rowsIn(name)).toHaveLength(SAVED.length);
  },
);

test("parseSheet reads one column without a separator, and toTabSeparated writes a row per line", () => {
  const rows = rowsIn("one.csv", text("\n\nAnn\nBo\n"));
  expect(rows).toEqual([["Ann"], ["Bo"]]);
  expect(toTabSeparated([["Ann", "Lee"], [], ["Bo"]])).toBe("Ann\tLee\n\nBo");
});

test("parseSheet refuses a file that is no spreadsheet (234)", () => {
  const refused: [string, Uint8Array][] = [
    ["empty.csv", text("")],
    ["blank.csv", text(" \n\t\n")],
    ["picture.csv", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])],
    ["page.xls", text("<table><tr><td>Ann</td></tr></table>")],
    ["page.xlsx", text("Ann;Lee")],
    ["torn.xlsx", fixture("staff.xlsx").slice(0, 3000)],
    ["torn.xls", fixture("staff.xls").slice(0, 1000)],
    ["archive.xlsx", zipSync({ "readme.txt": text("not a workbook") })],
    ["noise.xlsx", new Uint8Array([0x50, 0x4b, 3, 4, ...randomBytes(500)])],
    ["noise.xls", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, ...randomBytes(2000)])],
  ];
  for (const [name, bytes] of refused) {
    expect(() => rowsIn(name, bytes), name).toThrow(expect.objectContaining({ code: 234 }));
  }
});

test("parseSheet refuses a workbook with a record that is cut off (234) without looping", () => {
  expect(() => rowsIn("cut-record.xls")).toThrow(expect.objectContaining({ code: 234 }));
});

test("parseSheet refuses a file that would expand beyond a Worker's memory (9), however small it is", () => {
  const filler = `<row><c t="inlineStr"><is><t>${"x".repeat(1000)}</t></is></c></row>`;
  const bomb = workbook(filler.repeat(13 * 1024));
  expect(bomb.byteLength).toBeLessThan(MIB);
  expect(() => rowsIn("bomb.xlsx", bomb)).toThrow(expect.objectContaining({ code: 9 }));
  expect(rowsIn("large.xlsx", workbook(filler.repeat(1000)), 10)).toHaveLength(10);

  const largest = new Uint8Array(16 * MIB).fill(0x78);
  expect(() => rowsIn("x.csv", new Uint8Array(16 * MIB + 1))).toThrow(expect.objectContaining({ code: 9 }));
  expect(rowsIn("x.csv", largest)).toHaveLength(1);
  expect(() => toTabSeparated(rowsIn("x.csv", largest))).toThrow(expect.objectContaining({ code: 9 }));
});

const limits: [string, () => unknown, () => unknown, string][] = [
  [
    "columns of a CSV",
    () => rowsIn("wide.csv", text(Array(256).fill("a").join(";"))),
    () => rowsIn("wide.csv", text(Array(257).fill("a").join(";"))),
    "256 columns",
  ],
  [
    "columns of a workbook",
    () => rowsIn("wide.xlsx", workbook('<row><c r="IV1"><v>1</v></c></row>')),
    () => rowsIn("wide.xlsx", workbook('<row><c r="IW1"><v>1</v></c></row>')),
    "256 columns",
  ],
  [
    "cells of a CSV",
    () => rowsIn("many.csv", text(`${Array(200).fill("a").join(",")}\n`.repeat(2000)), 5002),
    () => rowsIn("many.csv", text(["a", ...Array(2000).fill(Array(200).fill("a").join(","))].join("\n")), 5002),
    "400000 cells",
  ],
  [
    "cells of a workbook",
    () => rowsIn("many.xlsx", workbook(`<row>${"<c><v>1</v></c>".repeat(200)}</row>`.repeat(1999))),
    () => rowsIn("many.xlsx", workbook(`<row>${"<c><v>1</v></c>".repeat(200)}</row>`.repeat(2010))),
    "400000 cells",
  ],
  [
    "characters of a row",
    () => toTabSeparated(rowsIn("long.csv", text("x".repeat(20_000)))),
    () => toTabSeparated(rowsIn("long.csv", text("x".repeat(20_001)))),
    "20000 characters in a row",
  ],
  [
    "characters of the rows",
    () => toTabSeparated(rowsIn("long.csv", text(`${"x".repeat(16_383)}\n`.repeat(512)), 5002)),
    () => toTabSeparated(rowsIn("long.csv", text(`${"x".repeat(16_383)}\n`.repeat(513)), 5002)),
    "8388608 characters in the rows that are kept",
  ],
  [
    "characters that one text has in many cells",
    () => rowsIn("same.xlsx", sharing(16 * 1024, 1024)),
    () => rowsIn("same.xlsx", sharing(16 * 1024, 1025)),
    "16777216 characters in its cells",
  ],
];

test.each(limits)("parseSheet limits %s, and its refusal names the limit", (_, allowed, refused, limit) => {
  expect(allowed()).toBeTruthy();
  const extra = { errors: [{ parameter: "file", error: `must have at most ${limit}` }] };
  expect(refused).toThrow(expect.objectContaining({ code: 9, extra }));
});

test("parseSheet refuses a row of eight million cells before it allocates them", () => {
  const before = process.memoryUsage().heapUsed;
  const wide = text(",".repeat(8_000_000));
  expect(() => rowsIn("wide.csv", wide)).toThrow(expect.objectContaining({ code: 9 }));
  expect(() => rowsIn("wide.csv", text(`"a",${'"",'.repeat(4_000_000)}`))).toThrow(
    expect.objectContaining({ code: 9 }),
  );
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * MIB);
});

test.each([
  ["a quote within a cell", 'a;5" pipe;b', [["a", '5" pipe', "b"]]],
  ["a quote that nobody doubled", '"a "quoted" word";b', [['a "quoted" word', "b"]]],
  [
    "blanks behind a quote",
    '"a" ;"b"  \r\nc;d',
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["a quote that is never closed", 'a;"b;c', [["a", "b;c"]]],
  [
    "lines ended as on old machines",
    "a;b\rc;d",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  [
    "an empty cell at the end",
    "a;b;\nc;d;",
    [
      ["a", "b", ""],
      ["c", "d", ""],
    ],
  ],
  [
    "commas in one row and semicolons in all",
    "a;b,c\nd;e\nf;g",
    [
      ["a", "b,c"],
      ["d", "e"],
      ["f", "g"],
    ],
  ],
])("rowsIn reads a CSV with %s", (_, content, expected) => {
  expect(rowsIn("a.csv", text(content))).toEqual(expected);
});

test("parseSheet reads or refuses an .xls with random bytes changed, and always ends", () => {
  const whole = fixture("staff.xls");
  for (let round = 0; round < 3000; round++) {
    const bytes = whole.slice();
    for (const place of randomBytes(16)) bytes[(place * 257 + round * 31) % bytes.length] = place ^ round;
    try {
      expect(rowsIn("staff.xls", bytes).length).toBeGreaterThan(0);
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: expect.toBeOneOf([9, 234]) });
    }
  }
});

test.each([
  ["the directory", 48],
  ["the table of small sectors", 60],
])("rowsIn refuses an .xls in which a chain of %s is circular (234)", (_, place) => {
  const bytes = fixture("staff.xls");
  const view = new DataView(bytes.buffer);
  // The first sector, which is the table itself, leads to itself.
  view.setUint32(place, 0, true);
  view.setUint32(512, 0, true);
  view.setUint32(512 + 508, 0, true);
  expect(() => rowsIn("circle.xls", bytes)).toThrow(expect.objectContaining({ code: 234 }));
});

test("parseSheet ends when an .xls's list of sector tables is circular", () => {
  const bytes = fixture("staff.xls");
  const view = new DataView(bytes.buffer);
  view.setUint32(68, 0, true);
  view.setUint32(512 + 508, 0, true);
  expect(rowsIn("circle.xls", bytes)[1]).toEqual(CRANE);
});

const MOMENT = new Date(Date.UTC(2031, 4, 2, 8, 30, 15));

test.each<["biff8" | "biff5", string]>([
  ["biff8", "Иванова 漢字"],
  ["biff5", "Zoe"],
])(
  "parseSheet of an .xls of kind %s reads whole and broken numbers, moments, booleans and texts like %j",
  (bookType, text) => {
    const cells = [
      [text, 7, -3, 0.25, 12.5, 1e15, 4930123456789],
      [MOMENT, true, false, ""],
    ];
    const sheet = utils.aoa_to_sheet(cells, { UTC: true });
    sheet.G2 = { t: "n", v: 0.5, z: "hh:mm" };
    const book = { SheetNames: ["S"], Sheets: { S: sheet } };
    const bytes = new Uint8Array(write(book, { bookType, type: "array", cellDates: false }));
    const [first, second] = rowsIn("made.xls", bytes);
    expect(first).toEqual([text, "7", "-3", "0.25", "12.5", "1000000000000000", "4930123456789"]);
    expect(second?.slice(0, 4)).toEqual(["2031-05-02 08:30:15", "true", "false", ""]);
    expect(second?.[6]).toBe("12:00:00");
  },
);

test("parseSheet reads an .xlsx with metadata and external links beside its cells", () => {
  const book = { SheetNames: ["S"], Sheets: { S: utils.aoa_to_sheet([["Ann", 1]]) } };
  const parts = unzipSync(new Uint8Array(write(book, { bookType: "xlsx", type: "array" })));
  expect(parts).toHaveProperty(["xl/metadata.xml"]);
  const contents = strFromU8(parts["[Content_Types].xml"] ?? new Uint8Array());
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const more = `<Override PartName="/xl/externalLinks/externalLink1.xml" ContentType="${type}.externalLink+xml"/></Types>`;
  parts["[Content_Types].xml"] = strToU8(contents.replace("</Types>", more));
  expect(rowsIn("made.xlsx", zipSync(parts))).toEqual([["Ann", "1"]]);
});

test("parseSheet of an .xls that declares four thousand million texts ends where its bytes do", () => {
  const bytes = fixture("staff.xls");
  const texts = Buffer.from(bytes.buffer).indexOf(Buffer.from([0xfc, 0x00]), 512);
  new DataView(bytes.buffer).setUint32(texts + 8, 0xffffffff, true);
  expect(rowsIn("staff.xls", bytes)[1]).toEqual(CRANE);
});
