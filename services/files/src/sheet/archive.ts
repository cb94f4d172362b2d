import { inflateRawSync } from "node:zlib";
import { type AsyncFlateStreamHandler, Unzip, type UnzipDecoder, type Zippable, zipSync } from "fflate";
import { tooLargeFileError } from "#shared/error/too-large-file.ts";
import { requireCellLimit } from "../cell/limits.ts";

/**
 * Repacks the parts of a workbook that have cells into an archive without compression, so that the library that reads it
 * cannot be made to unpack a zip bomb. Sizes that the archive declares are not trusted.
 */
export function repackWorkbook(bytes: Uint8Array): Uint8Array {
  const parts: Record<string, Uint8Array> = {};
  let [remainingBytes, cells] = [MAX_UNPACKED_BYTES, 0];
  const unzip = new Unzip((file) => {
    if (!HOLDS_CELLS.test(file.name)) return;
    const chunks: Uint8Array[] = [];
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      chunks.push(chunk);
      if (!isLast) return;
      const packed = Buffer.concat(chunks);
      const part = file.compression === RawDecoder.compression ? inflate(packed, remainingBytes) : packed;
      remainingBytes -= part.byteLength;
      if (remainingBytes < 0) throw tooLargeFileError(UNPACKED_LIMIT);
      if (/\/worksheets\//i.test(file.name)) cells += countCells(part);
      requireCellLimit(cells);
      parts[file.name] = part;
    };
    file.start();
  });
  unzip.register(RawDecoder);
  unzip.push(bytes, true);
  return zipSync(withoutMissingParts(parts), { level: 0 });
}

/** Passes compressed data through. The library only finds the parts of the archive; the runtime inflates them. */
class RawDecoder implements UnzipDecoder {
  /** The number of the method "deflate", the only one that workbooks use. */
  static compression = 8;
  // The library sets it before it pushes data.
  declare ondata: AsyncFlateStreamHandler;

  push(chunk: Uint8Array<ArrayBuffer>, isLast: boolean) {
    this.ondata(null, chunk, isLast);
  }
}

function inflate(packed: Uint8Array, maxBytes: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes), chunkSize: PIECE_BYTES });
  } catch (thrown) {
    // The output reached `maxOutputLength`.
    throw isTooLarge(thrown) ? tooLargeFileError(UNPACKED_LIMIT) : thrown;
  }
}

function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE";
}

/** Removes dropped parts, such as comments, from the list of contents, because the library would look for them. */
function withoutMissingParts(parts: Record<string, Uint8Array>): Zippable {
  const names = new Set(Object.keys(parts).map((name) => `/${name.toLowerCase()}`));
  const contents = new TextDecoder().decode(parts[CONTENTS]).replace(OVERRIDE, (element) => {
    const name = PART_NAME.exec(element)?.groups?.name ?? "";
    return names.has(name.toLowerCase()) ? element : "";
  });
  return { ...parts, [CONTENTS]: new TextEncoder().encode(contents) };
}

/** Counts elements named `c`, with or without a prefix. */
function countCells(bytes: Uint8Array) {
  let count = 0;
  for (let index = bytes.indexOf(LETTER_C, 1); index > 0; index = bytes.indexOf(LETTER_C, index + 1)) {
    const [before, behind] = [bytes[index - 1], bytes[index + 1]];
    const begins = before === LESS || before === COLON;
    if (begins && (behind === GREATER || behind === SLASH || (behind !== undefined && behind <= SPACE))) count += 1;
  }
  return count;
}

const [LETTER_C, LESS, GREATER, COLON, SLASH, SPACE] = [0x63, 0x3c, 0x3e, 0x3a, 0x2f, 0x20];
const CONTENTS = "[Content_Types].xml";
// Two patterns: a combined one would backtrack without bound on an element that never ends.
const OVERRIDE = /<(?:\w+:)?Override\b[^<>]*>/g;
const PART_NAME = /PartName\s*=\s*["'](?<name>[^"']*)["']/;
const HOLDS_CELLS =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|sharedStrings|styles)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[^/]+\.xml)$/i;
/** Parsed cells take about six times as much memory, in an isolate of 128 MB. */
const MEBIBYTE = 1024 * 1024;
const MAX_UNPACKED_BYTES = 12 * MEBIBYTE;
const UNPACKED_LIMIT = `${MAX_UNPACKED_BYTES / MEBIBYTE} MB of unpacked cells`;
const PIECE_BYTES = 256 * 1024;
