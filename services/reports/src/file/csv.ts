import { Zip, ZipDeflate } from "fflate";
import { type Part, releasing } from "../layout/document.ts";
import type { Line } from "../layout/lines.ts";
import { nameFor } from "./sheet-name.ts";

/** The one part that there may be, as RFC 4180 has it, in UTF-8 with the mark by which spreadsheets know it. */
export async function* csvOf(parts: AsyncIterable<Part>): AsyncGenerator<Uint8Array> {
  yield ENCODER.encode(MARK);
  for await (const part of parts) for (const piece of piecesOf(part)) yield ENCODER.encode(piece);
}

/** Lines alone, all of them at once. */
export function csvOfLines(lines: Iterable<Line>): Uint8Array {
  let text = MARK;
  for (const line of lines) text += recordOf(textsOf(line));
  return ENCODER.encode(text);
}

/** A ZIP with a file for each part, named by what it is about. */
export async function* zippedCsvOf(parts: AsyncIterable<Part>): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    made.push(piece);
  });
  const names = new Set<string>();
  for await (const part of parts) {
    const file = new ZipDeflate(`${nameFor(part.header, names)}.csv`, { level: 3 });
    zip.add(file);
    file.push(ENCODER.encode(MARK));
    for (const piece of piecesOf(part)) {
      file.push(ENCODER.encode(piece));
      yield* made.splice(0);
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  yield* made;
}

function* piecesOf({ header, blocks }: Part): Generator<string> {
  let text = recordOf([header]);
  for (const block of releasing(blocks)) {
    if (!("lines" in block)) continue;
    text += recordOf([]);
    for (const line of block.lines()) {
      text += recordOf(textsOf(line));
      if (text.length < PIECE) continue;
      yield text;
      text = "";
    }
  }
  yield text;
}

function textsOf({ cells }: Line) {
  return cells.map(({ text }) => text);
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
