import { Zip, ZipDeflate } from "fflate";
import { linesOf, releasing } from "../layout/lines.ts";
import type { Sheet } from "../layout/sheet.ts";
import { nameFor } from "./sheet-name.ts";

/** The one sheet that there may be, as RFC 4180 has it, in UTF-8 with the mark by which spreadsheets know it. */
export async function* csvOf(sheets: AsyncIterable<Sheet>): AsyncGenerator<Uint8Array> {
  yield ENCODER.encode(MARK);
  for await (const sheet of sheets) for (const piece of piecesOf(sheet)) yield ENCODER.encode(piece);
}

/** A ZIP with a file for each sheet, named by what it is about. */
export async function* zippedCsvOf(sheets: AsyncIterable<Sheet>): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    made.push(piece);
  });
  const names = new Set<string>();
  for await (const sheet of sheets) {
    const file = new ZipDeflate(`${nameFor(sheet.header, names)}.csv`, { level: 3 });
    zip.add(file);
    file.push(ENCODER.encode(MARK));
    for (const piece of piecesOf(sheet)) {
      file.push(ENCODER.encode(piece));
      yield* made.splice(0);
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  yield* made;
}

function* piecesOf({ header, sections }: Sheet): Generator<string> {
  let text = recordOf([header]);
  for (const section of releasing(sections)) {
    text += recordOf([]);
    for (const { cells } of linesOf(section)) {
      text += recordOf(cells.map((cell) => cell.text));
      if (text.length < PIECE) continue;
      yield text;
      text = "";
    }
  }
  yield text;
}

function recordOf(fields: string[]) {
  return `${fields.map(fieldOf).join(",")}\r\n`;
}

/** What a spreadsheet would calculate gets a mark before it that makes it text; numbers below zero stay numbers. */
function fieldOf(value: string) {
  const harmless = /^[=+\-@\t\r]/.test(value) && !/^-?[\d.,:]+$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const ENCODER = new TextEncoder();
const MARK = "\ufeff";
/** Characters that leave at a time. */
const PIECE = 65_536;
