import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { ROOT } from "../../../../scripts/workers.ts";
import { rowsOfFile, textOf } from "./rows.ts";

const MIB = 1024 * 1024;
const CRANE = ["Zoë", "Иванова", "4930123456789", "2031-05-02", "000042", "crane, hazardous"];

function fixture(name: string) {
  return new Uint8Array(readFileSync(join(ROOT, "test", "fixtures", "sheets", name)));
}

function rowsIn(name: string, bytes: Uint8Array = fixture(name), limit = 100) {
  return rowsOfFile({ name, type: "", bytes }, limit);
}

function text(content: string) {
  return new TextEncoder().encode(content);
}

function workbook(sheet: string) {
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const parts = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    "xl/workbook.xml": `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));
}

test.each(["staff.xlsx", "staff.xls"])(
  "%s: values as they are, whatever the cells look like; empty rows in between stay, those around do not",
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
])("%s: its encoding, separator and quotes are found out", (name, expected) => {
  expect(rowsIn(name)).toEqual(expected);
});

test("a row of one column needs no separator; a sheet is text with a row a line", () => {
  const rows = rowsIn("one.csv", text("\n\nAnn\nBo\n"));
  expect(rows).toEqual([["Ann"], ["Bo"]]);
  expect(textOf([["Ann", "Lee"], [], ["Bo"]])).toBe("Ann\tLee\n\nBo");
});

test("what is no spreadsheet is 234", () => {
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

test("a workbook with a record that is cut off keeps nobody busy", () => {
  expect(() => rowsIn("cut-record.xls")).toThrow(expect.objectContaining({ code: 234 }));
});

test("what would be more than a Worker's memory is 9, however small it comes", () => {
  const filler = `<row><c t="inlineStr"><is><t>${"x".repeat(1000)}</t></is></c></row>`;
  const bomb = workbook(filler.repeat(13 * 1024));
  expect(bomb.byteLength).toBeLessThan(MIB);
  expect(() => rowsIn("bomb.xlsx", bomb)).toThrow(expect.objectContaining({ code: 9 }));
  expect(rowsIn("large.xlsx", workbook(filler.repeat(1000)), 10)).toHaveLength(10);

  const largest = new Uint8Array(16 * MIB).fill(0x78);
  expect(() => rowsIn("x.csv", new Uint8Array(16 * MIB + 1))).toThrow(expect.objectContaining({ code: 9 }));
  expect(rowsIn("x.csv", largest)).toHaveLength(1);
  expect(() => textOf(rowsIn("x.csv", largest))).toThrow(expect.objectContaining({ code: 234 }));
});
