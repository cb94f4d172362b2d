import { inflateRawSync } from "node:zlib";
import { type AsyncFlateStreamHandler, Unzip, type UnzipDecoder, type Zippable, zipSync } from "fflate";
import { requireCellLimit, tooLargeError } from "../cell/limits.ts";

/**
 * The parts of a workbook that hold its cells, packed anew without compression: what reads it unpacks nothing, so that
 * no archive can grow in its hands. What an archive says of its own sizes is not believed.
 */
export function repackWorkbook(bytes: Uint8Array): Uint8Array {
  const kept: Record<string, Uint8Array> = {};
  let [left, cells] = [MAX_UNPACKED_BYTES, 0];
  const unzip = new Unzip((file) => {
    if (!HOLDS_CELLS.test(file.name)) return;
    const chunks: Uint8Array[] = [];
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      chunks.push(chunk);
      if (!isLast) return;
      const packed = Buffer.concat(chunks);
      const part = file.compression === RawDecoder.compression ? inflate(packed, left) : packed;
      left -= part.byteLength;
      if (left < 0) throw tooLargeError(UNPACKED_LIMIT);
      if (/\/worksheets\//i.test(file.name)) cells += countCells(part);
      requireCellLimit(cells);
      kept[file.name] = part;
    };
    file.start();
  });
  unzip.register(RawDecoder);
  unzip.push(bytes, true);
  return zipSync(withoutMissingParts(kept), { level: 0 });
}

/** The archive finds where its parts begin and end; the runtime unpacks them. */
class RawDecoder implements UnzipDecoder {
  /** What archives call the one way of packing that workbooks use. */
  static compression = 8;
  // The archive sets it before anything comes.
  declare ondata: AsyncFlateStreamHandler;

  push(chunk: Uint8Array<ArrayBuffer>, isLast: boolean) {
    this.ondata(null, chunk, isLast);
  }
}

function inflate(packed: Uint8Array, maxBytes: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes), chunkSize: PIECE_BYTES });
  } catch (thrown) {
    // It stopped there.
    throw isTooLarge(thrown) ? tooLargeError(UNPACKED_LIMIT) : thrown;
  }
}

function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE";
}

/** What the list of contents names besides, such as notes, people or links, the library would miss. */
function withoutMissingParts(kept: Record<string, Uint8Array>): Zippable {
  const parts = new Set(Object.keys(kept).map((name) => `/${name.toLowerCase()}`));
  const contents = new TextDecoder().decode(kept[CONTENTS]).replace(OVERRIDE, (element) => {
    const name = PART_NAME.exec(element)?.groups?.name ?? "";
    return parts.has(name.toLowerCase()) ? element : "";
  });
  return { ...kept, [CONTENTS]: new TextEncoder().encode(contents) };
}

/** Elements named `c`, with a prefix or without. */
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
const MAX_UNPACKED_BYTES = 12 * MEBIBYTE;
const UNPACKED_LIMIT = `${MAX_UNPACKED_BYTES / MEBIBYTE} MB of unpacked cells`;
const PIECE_BYTES = 256 * 1024;
