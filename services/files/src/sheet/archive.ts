import { Unzip, UnzipInflate, type Zippable, zipSync } from "fflate";
import { ApiError } from "#shared/error/api-error.ts";

/**
 * The parts of a workbook that hold its cells, packed anew without compression: what reads it unpacks nothing, so that
 * no archive can grow in its hands. What an archive says of its own sizes is not believed.
 */
export function repacked(bytes: Uint8Array): Uint8Array {
  const kept: Zippable = {};
  let size = 0;
  const unzip = new Unzip((file) => {
    if (!HOLDS_CELLS.test(file.name)) return;
    const chunks: Uint8Array[] = [];
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      size += chunk.byteLength;
      if (size > UNPACKED_BYTES) throw new ApiError(9);
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
  return zipSync(kept, { level: 0 });
}

const HOLDS_CELLS =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|sharedStrings|styles)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[^/]+\.xml)$/i;
/** Cells read from it take some six times as much, in an isolate of 128 MB. */
const UNPACKED_BYTES = 12 * 1024 * 1024;
const PIECE_BYTES = 4096;
