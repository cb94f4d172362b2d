import { Zip, ZipDeflate } from "fflate";
import { type DocumentPart, releaseBlocks } from "../layout/document.ts";
import type { Line } from "../layout/lines.ts";
import { toSheetName } from "./sheet-name.ts";

/** A document of at most one part as RFC 4180, in UTF-8 with the byte order mark that spreadsheets expect. */
export async function* streamCsv(parts: AsyncIterable<DocumentPart>): AsyncGenerator<Uint8Array> {
  yield ENCODER.encode(BYTE_ORDER_MARK);
  for await (const part of parts) for (const piece of generatePieces(part)) yield ENCODER.encode(piece);
}

/** Lines as CSV, all at once. */
export function writeCsvLines(lines: Iterable<Line>): Uint8Array {
  let text = BYTE_ORDER_MARK;
  for (const line of lines) text += toRecord(textsOf(line));
  return ENCODER.encode(text);
}

/** A ZIP with a CSV for each part, named by the part's header. */
export async function* streamCsvZip(parts: AsyncIterable<DocumentPart>): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  const names = new Set<string>();
  for await (const part of parts) {
    const file = new ZipDeflate(`${toSheetName(part.header, names)}.csv`, { level: 3 });
    zip.add(file);
    file.push(ENCODER.encode(BYTE_ORDER_MARK));
    for (const piece of generatePieces(part)) {
      file.push(ENCODER.encode(piece));
      yield* pieces.splice(0);
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  yield* pieces;
}

function* generatePieces({ header, blocks }: DocumentPart): Generator<string> {
  let text = toRecord([header]);
  for (const block of releaseBlocks(blocks)) {
    if (!("lines" in block)) continue;
    text += toRecord([]);
    for (const line of block.lines()) {
      text += toRecord(textsOf(line));
      if (text.length < MAX_CHARACTERS_PER_PIECE) continue;
      yield text;
      text = "";
    }
  }
  yield text;
}

function textsOf({ cells }: Line) {
  return cells.map(({ text }) => text);
}

function toRecord(fields: string[]) {
  return `${fields.map(toField).join(",")}\r\n`;
}

/** Text that a spreadsheet would run as a formula gets a leading apostrophe; negative numbers stay numbers. */
function toField(value: string) {
  const harmless = /^[=+\-@\t\r]/.test(value) && !/^-?[\d.,:]+$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const ENCODER = new TextEncoder();
const BYTE_ORDER_MARK = "\ufeff";
/** Characters that are written at once. */
const MAX_CHARACTERS_PER_PIECE = 65_536;
