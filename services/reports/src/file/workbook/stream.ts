import { Zip, ZipDeflate } from "fflate";
import type { SheetShape } from "../rows.ts";
import { MAIN, rowXml, type SheetCell, XML } from "./cells.ts";
import { type AnchoredPicture, drawingParts, drawingXml } from "./drawing.ts";
import { type NamedSheet, packageParts } from "./package.ts";

/** A row; with a picture it gets the picture's height. */
export type WorkRow = { cells: (SheetCell | null)[]; jpeg?: Uint8Array };
export type WorkSheet = SheetShape & { name: string; rows: Iterable<WorkRow> };

/**
 * Streams an XLSX: each sheet is read after the one before it was written, in small pieces. `last` is called after all
 * other sheets, but its sheets come first.
 */
export async function* streamBook(
  title: string,
  sheets: AsyncIterable<WorkSheet>,
  last: () => WorkSheet[],
): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  const known: NamedSheet[] = [];
  for await (const sheet of sheets) known.push(yield* sheetParts(zip, pieces, sheet, known));
  const behind = known.length;
  for (const sheet of last()) known.push(yield* sheetParts(zip, pieces, sheet, known));
  const order = [...known.slice(behind), ...known.slice(0, behind)];
  for (const [path, xml] of Object.entries(packageParts(title, order))) addFile(zip, path, xml);
  zip.end();
  yield* drain(pieces);
}

function* sheetParts(
  zip: Zip,
  pieces: Uint8Array[],
  { name, frozen, widths, rows }: WorkSheet,
  before: NamedSheet[],
): Generator<Uint8Array, NamedSheet> {
  const id = before.length + 1;
  const file = beginFile(zip, `xl/worksheets/sheet${id}.xml`);
  const pictures: AnchoredPicture[] = [];
  let xml = openingOf({ frozen, widths });
  let number = 0;
  for (const { cells, jpeg } of rows) {
    if (jpeg) pictures.push({ jpeg, row: number });
    number++;
    if (cells.length > 0) xml += rowXml(cells, number, jpeg && PICTURE_HEIGHT);
    if (xml.length < MAX_CHARACTERS_PER_PIECE) continue;
    file.push(ENCODER.encode(xml));
    xml = "";
    yield* drain(pieces);
  }
  file.push(ENCODER.encode(`${xml}</sheetData>${pictures.length > 0 ? drawingXml() : ""}</worksheet>`), true);
  const place = { sheet: id, before: before.reduce((sum, sheet) => sum + sheet.pictures, 0) };
  if (pictures.length > 0) for (const [path, content] of drawingParts(pictures, place)) addFile(zip, path, content);
  yield* drain(pieces);
  return { name, id, pictures: pictures.length };
}

function openingOf({ frozen, widths }: SheetShape): string {
  const pane =
    frozen > 0 ? `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/>` : "";
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  const cols = columns.length > 0 ? `<cols>${columns.join("")}</cols>` : "";
  return `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>${cols}<sheetData>`;
}

/** A low level suffices: rows resemble each other. */
function beginFile(zip: Zip, path: string, level: 0 | 3 = 3): ZipDeflate {
  const file = new ZipDeflate(path, { level });
  zip.add(file);
  return file;
}

/** Pictures are compressed already, so they are stored. */
function addFile(zip: Zip, path: string, content: string | Uint8Array) {
  if (typeof content === "string") beginFile(zip, path).push(ENCODER.encode(content), true);
  else beginFile(zip, path, 0).push(content, true);
}

function* drain(pieces: Uint8Array[]) {
  yield* pieces.splice(0);
}

const ENCODER = new TextEncoder();
/** Characters of XML that are compressed at once. */
const MAX_CHARACTERS_PER_PIECE = 65_536;
/** Points: 200 pixels and a margin. */
const PICTURE_HEIGHT = 154;
