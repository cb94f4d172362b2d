import { Unzip, UnzipInflate, type Zippable, zipSync } from "fflate";
import { requireFewCells, tooLarge } from "../cell/limits.ts";

/**
 * The parts of a workbook that hold its cells, packed anew without compression: what reads it unpacks nothing, so that
 * no archive can grow in its hands. What an archive says of its own sizes is not believed.
 */
export function repacked(bytes: Uint8Array): Uint8Array {
  const kept: Record<string, Uint8Array> = {};
  let [size, cells] = [0, 0];
  const unzip = new Unzip((file) => {
    if (!HOLDS_CELLS.test(file.name)) return;
    const chunks: Uint8Array[] = [];
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      size += chunk.byteLength;
      if (size > UNPACKED_BYTES) throw tooLarge(`${UNPACKED_BYTES / MEBIBYTE} MB of unpacked cells`);
      if (/\/worksheets\//i.test(file.name)) cells += countCells(chunk);
      requireFewCells(cells);
      chunks.push(chunk);
      if (isLast) kept[file.name] = Buffer.concat(chunks);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  // In pieces: one that is unpacked at once may become a thousand times as large.
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    const end = start + PIECE_BYTES;
    unzip.push(bytes.subarray(start, end), end >= bytes.byteLength);
  }
  return zipSync(withoutMissing(kept), { level: 0 });
}

/** What the list of contents names besides, such as notes, people or links, the library would miss. */
function withoutMissing(kept: Record<string, Uint8Array>): Zippable {
  const parts = new Set(Object.keys(kept).map((name) => `/${name.toLowerCase()}`));
  const contents = new TextDecoder().decode(kept[CONTENTS]).replace(OVERRIDE, (element) => {
    const name = PART_NAME.exec(element)?.groups?.name ?? "";
    return parts.has(name.toLowerCase()) ? element : "";
  });
  return { ...kept, [CONTENTS]: new TextEncoder().encode(contents) };
}

/** Elements named `c`, with a prefix or without; the few that lie where one piece ends and the next begins are passed over. */
function countCells(bytes: Uint8Array) {
  let count = 0;
  for (let place = bytes.indexOf(LETTER_C, 1); place > 0; place = bytes.indexOf(LETTER_C, place + 1)) {
    const [before, behind] = [bytes[place - 1], bytes[place + 1]];
    const begins = before === LESS || before === COLON;
    if (begins && (behind === GREATER || behind === SLASH || (behind !== undefined && behind <= SPACE))) count += 1;
  }
  return count;
}

const [LETTER_C, LESS, GREATER, COLON, SLASH, SPACE] = [0x63, 0x3c, 0x3e, 0x3a, 0x2f, 0x20];
const CONTENTS = "[Content_Types].xml";
// Two steps: one pattern for both would look through an element again and again that never ends.
const OVERRIDE = /<(?:\w+:)?Override\b[^<>]*>/g;
const PART_NAME = /PartName\s*=\s*["'](?<name>[^"']*)["']/;
const HOLDS_CELLS =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|sharedStrings|styles)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[^/]+\.xml)$/i;
/** Cells read from it take some six times as much, in an isolate of 128 MB. */
const MEBIBYTE = 1024 * 1024;
const UNPACKED_BYTES = 12 * MEBIBYTE;
const PIECE_BYTES = 4096;
