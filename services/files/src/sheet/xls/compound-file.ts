import { ApiError } from "#shared/error/api-error.ts";

/**
 * Reads the workbook in a compound file, which is a small file system: a table links sectors to chains. A chain longer than
 * the number of sectors contains a cycle and is refused (234).
 */
export function readWorkbookStream(bytes: Uint8Array): Uint8Array {
  const header = viewOf(bytes);
  const shift = header.getUint16(SECTOR_SHIFT, true);
  if (shift !== 9 && shift !== 12) throw new ApiError(234);
  const large = { data: bytes, sectorBytes: 2 ** shift, first: 1 };
  const table = readSectors(large, findTableSectors(header, large));
  const readStream = (start: number) => readSectors(large, followChain(table, start));
  const entries = readEntries(readStream(header.getUint32(DIRECTORY_START, true)));
  const found = WORKBOOK_NAMES.map((name) => entries.find((entry) => entry.type === STREAM && entry.name === name));
  const workbook = found.find((entry) => entry !== undefined);
  if (!workbook) throw new ApiError(234);
  if (workbook.size >= SMALL_BYTES) return readStream(workbook.start).subarray(0, workbook.size);
  // Small streams are stored in small sectors inside the stream of the root.
  const root = entries.find(({ type }) => type === ROOT);
  if (!root) throw new ApiError(234);
  const small = { data: readStream(root.start), sectorBytes: 64, first: 0 };
  const sectors = followChain(readStream(header.getUint32(SMALL_TABLE_START, true)), workbook.start);
  return readSectors(small, sectors).subarray(0, workbook.size);
}

/** A stream divided into sectors; `first` is the position of sector 0, counted in sectors. */
type Sectors = { data: Uint8Array; sectorBytes: number; first: number };

/** The sectors of the table of chains: the header lists the first 109, further lists form a chain. */
function findTableSectors(header: DataView, sectors: Sectors): number[] {
  const numbers = readNumbers(header, HEADER_LIST, HEADER_LISTED);
  const perList = sectors.sectorBytes / 4 - 1;
  const maxSectors = sectors.data.byteLength / sectors.sectorBytes;
  let next = header.getUint32(LIST_START, true);
  for (let lists = 0; next < MIN_SPECIAL_NUMBER && lists < maxSectors; lists++) {
    const list = viewOf(readSectors(sectors, [next]));
    numbers.push(...readNumbers(list, 0, perList));
    next = list.getUint32(perList * 4, true);
  }
  return numbers.filter((number) => number < MIN_SPECIAL_NUMBER).slice(0, maxSectors);
}

function followChain(table: Uint8Array, start: number): number[] {
  const view = viewOf(table);
  const numbers: number[] = [];
  for (let next = start; next < MIN_SPECIAL_NUMBER; next = view.getUint32(next * 4, true)) {
    numbers.push(next);
    if (numbers.length * 4 > table.byteLength) throw new ApiError(234);
  }
  return numbers;
}

function readSectors({ data, sectorBytes, first }: Sectors, numbers: number[]): Uint8Array {
  return Buffer.concat(
    numbers.map((number) => {
      const start = (number + first) * sectorBytes;
      // The last sector of a file may be truncated, but not missing.
      if (start >= data.byteLength) throw new ApiError(234);
      return data.subarray(start, start + sectorBytes);
    }),
  );
}

function readEntries(directory: Uint8Array) {
  const view = viewOf(directory);
  return Array.from({ length: Math.floor(directory.byteLength / ENTRY_BYTES) }, (_, index) => {
    const at = index * ENTRY_BYTES;
    const nameEnd = at + Math.min(Math.max(view.getUint16(at + 64, true) - 2, 0), 62);
    return {
      name: Buffer.from(directory.subarray(at, nameEnd)).toString("utf16le"),
      type: view.getUint8(at + 66),
      start: view.getUint32(at + 116, true),
      size: view.getUint32(at + 120, true),
    };
  });
}

function readNumbers(view: DataView, from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => view.getUint32(from + index * 4, true));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array) {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The names of the stream since Excel 97, and before. */
const WORKBOOK_NAMES = ["Workbook", "Book"];
/** Numbers from here on have special meanings, such as the end of a chain. */
const MIN_SPECIAL_NUMBER = 0xfffffffa;
const [STREAM, ROOT] = [2, 5];
const ENTRY_BYTES = 128;
const SMALL_BYTES = 4096;
// Offsets in the header.
const [SECTOR_SHIFT, DIRECTORY_START, SMALL_TABLE_START, LIST_START] = [30, 48, 60, 68];
const [HEADER_LIST, HEADER_LISTED] = [76, 109];
