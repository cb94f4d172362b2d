import { ApiError } from "#shared/error/api-error.ts";
import { requireCellLimit, requireColumnLimit } from "../../cell/limits.ts";
import { textOfNumber } from "../../cell/text.ts";
import { readWorkbookStream } from "./compound-file.ts";
import { RecordReader, readRecords, type SheetRecord } from "./records.ts";

/**
 * The first `limit` rows of the first sheet of an .xls. Each record is read once and never beyond its end, so the time is
 * bounded by the size of the file.
 */
export function parseXlsStream(bytes: Uint8Array, limit: number): string[][] {
  const stream = readWorkbookStream(bytes);
  const workbook = readWorkbook(stream);
  const rows: string[][] = [];
  let count = 0;
  for (const { row, column, text } of readCells(stream, workbook)) {
    if (row >= limit) continue;
    requireColumnLimit(column + 1);
    count += 1;
    requireCellLimit(count);
    const cells = rows[row] ?? [];
    rows[row] = cells;
    cells[column] = text;
  }
  return Array.from(rows, (cells = []) => Array.from(cells, (cell = "") => cell));
}

type Workbook = {
  /** Decodes texts with one byte per character (before Excel 97); undefined since then. */
  decoder: TextDecoder | undefined;
  is1904Based: boolean;
  /** The offset of the first sheet in the stream; -1 before it is found. */
  sheet: number;
  texts: string[];
  formats: Map<number, string>;
  /** Ids of formats, by index of the style. */
  styles: number[];
};

function readWorkbook(stream: Uint8Array): Workbook {
  const [first] = readRecords(stream, 0);
  const workbook: Workbook = {
    decoder: decoderOfVersion(first),
    is1904Based: false,
    sheet: -1,
    texts: [],
    formats: new Map(),
    styles: [],
  };
  for (const { type, data, parts } of readRecords(stream, 0)) {
    if (type === RECORD.end) break;
    if (type === RECORD.encrypted) throw new ApiError(234);
    if (type === RECORD.page && workbook.decoder) workbook.decoder = createDecoder(data.getUint16(0, true));
    if (type === RECORD.epoch) workbook.is1904Based = data.getUint16(0, true) === 1;
    if (type === RECORD.style) workbook.styles.push(data.getUint16(2, true));
    if (type === RECORD.format) workbook.formats.set(data.getUint16(0, true), readFormat(data, workbook));
    if (type === RECORD.sheet && workbook.sheet < 0 && data.getUint8(5) === 0) workbook.sheet = data.getUint32(0, true);
    if (type === RECORD.sharedTexts) workbook.texts = readSharedTexts(parts);
  }
  if (workbook.sheet < 0) throw new ApiError(234);
  return workbook;
}

/** The decoder of texts before Excel 97; undefined for Excel 97, whose texts are Unicode; 234 for other versions. */
function decoderOfVersion(first: SheetRecord | undefined) {
  const version = first?.type === RECORD.begin ? first.data.getUint16(0, true) : 0;
  if (version === 0x0600) return undefined;
  if (version === 0x0500) return createDecoder(1252);
  throw new ApiError(234);
}

function createDecoder(page: number) {
  return new TextDecoder(page >= 1250 && page <= 1258 ? `windows-${page}` : "windows-1252");
}

function readSharedTexts(parts: DataView[]): string[] {
  const reader = new RecordReader(parts, 4);
  const count = reader.readNumber32();
  const texts: string[] = [];
  while (texts.length < count && !reader.isAtEnd) texts.push(reader.readText(reader.readNumber16()));
  return texts;
}

function readFormat(data: DataView, { decoder }: Workbook): string {
  if (decoder) return decodeBytes(data, 3, data.getUint8(2), decoder);
  const reader = new RecordReader([data], 2);
  return reader.readText(reader.readNumber16());
}

type Cell = { row: number; column: number; text: string };

function* readCells(stream: Uint8Array, workbook: Workbook): Generator<Cell> {
  let depth = 0;
  /** The cell of a formula whose text is in a later record. */
  let formulaCell: { row: number; column: number } | undefined;
  for (const record of readRecords(stream, workbook.sheet)) {
    const { type, data } = record;
    if (type === RECORD.begin) depth += 1;
    if (type === RECORD.end) depth -= 1;
    if (depth === 0) return;
    // Embedded charts have their own cells, which are skipped.
    if (depth > 1 || !CELLS.has(type)) continue;
    if (type === RECORD.formulaText) {
      if (formulaCell) yield { ...formulaCell, text: readText(record, 0, workbook) };
      continue;
    }
    const [row, column] = [data.getUint16(0, true), data.getUint16(2, true)];
    if (type === RECORD.numbers) {
      yield* readPackedNumbers(record, row, column, workbook);
      continue;
    }
    const isText = type === RECORD.formula && data.getUint16(12, true) === 0xffff && data.getUint8(6) === 0;
    formulaCell = isText ? { row, column } : undefined;
    const text = isText ? "" : readCellText(record, workbook);
    if (text !== "") yield { row, column, text };
  }
}

function readCellText(record: SheetRecord, workbook: Workbook): string {
  const { type, data } = record;
  switch (type) {
    case RECORD.sharedText:
      return workbook.texts[data.getUint32(6, true)] ?? "";
    case RECORD.text:
    case RECORD.richText:
      return readText(record, 6, workbook);
    case RECORD.boolean:
      return data.getUint8(7) === 0 ? String(data.getUint8(6) === 1) : "";
    case RECORD.number:
      return numberText(data.getFloat64(6, true), data.getUint16(4, true), workbook);
    case RECORD.packedNumber:
      return numberText(unpackNumber(data.getUint32(6, true)), data.getUint16(4, true), workbook);
    default:
      return readFormulaValue(data, workbook);
  }
}

function readFormulaValue(data: DataView, workbook: Workbook): string {
  if (data.getUint16(12, true) !== 0xffff) {
    return numberText(data.getFloat64(6, true), data.getUint16(4, true), workbook);
  }
  // A result that is no number is a boolean, an error or empty.
  return data.getUint8(6) === 1 ? String(data.getUint8(8) === 1) : "";
}

/** A run of packed numbers, each preceded by its style; the last column follows them. */
function* readPackedNumbers({ data }: SheetRecord, row: number, first: number, workbook: Workbook): Generator<Cell> {
  for (let at = 4, column = first; at + 8 <= data.byteLength; at += 6, column += 1) {
    const value = unpackNumber(data.getUint32(at + 2, true));
    yield { row, column, text: numberText(value, data.getUint16(at, true), workbook) };
  }
}

/** A packed number: the upper 30 bits of a double, or an integer of 30 bits; in hundredths if the lowest bit is set. */
function unpackNumber(packed: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, packed & ~3);
  const value = packed & 2 ? packed >> 2 : view.getFloat64(0);
  return packed & 1 ? value / 100 : value;
}

function numberText(value: number, style: number, { styles, formats, is1904Based }: Workbook): string {
  const format = styles[style] ?? 0;
  return textOfNumber(value, formats.get(format) ?? format, is1904Based);
}

function readText({ data, parts }: SheetRecord, at: number, { decoder }: Workbook): string {
  const length = data.getUint16(at, true);
  return decoder ? decodeBytes(data, at + 2, length, decoder) : new RecordReader(parts, at + 2).readText(length);
}

function decodeBytes({ buffer, byteOffset, byteLength }: DataView, at: number, length: number, page: TextDecoder) {
  if (at + length > byteLength) throw new ApiError(234);
  return page.decode(new Uint8Array(buffer, byteOffset + at, length));
}

const RECORD = {
  begin: 0x0809,
  end: 0x0a,
  encrypted: 0x2f,
  page: 0x42,
  epoch: 0x22,
  sheet: 0x85,
  format: 0x041e,
  style: 0xe0,
  sharedTexts: 0xfc,
  sharedText: 0xfd,
  text: 0x0204,
  richText: 0xd6,
  boolean: 0x0205,
  number: 0x0203,
  packedNumber: 0x027e,
  numbers: 0xbd,
  formula: 0x06,
  formulaText: 0x0207,
};
const CELLS = new Set([
  RECORD.sharedText,
  RECORD.text,
  RECORD.richText,
  RECORD.boolean,
  RECORD.number,
  RECORD.packedNumber,
  RECORD.numbers,
  RECORD.formula,
  RECORD.formulaText,
]);
