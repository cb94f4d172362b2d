import { Zip, ZipDeflate } from "fflate";
import { escapeXml, MAIN, rowXml, type SheetCell, stylesXml, XML } from "./cells.ts";

/** The rows above `frozen` stay in sight; widths are in characters. */
export type WorkSheet = { name: string; frozen: number; widths: number[]; rows: Iterable<SheetCell[]> };

/**
 * An XLSX as it is made: a sheet is read when the one before it has gone, and its rows leave in small pieces. `last` is read
 * when all others are known, and stands first.
 */
export async function* workbookOf(
  sheets: AsyncIterable<WorkSheet>,
  last: () => WorkSheet[],
): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    made.push(piece);
  });
  const names: string[] = [];
  for await (const sheet of sheets) {
    names.push(sheet.name);
    yield* sheetParts(zip, made, sheet, names.length);
  }
  const front = last();
  for (const [index, sheet] of front.entries()) yield* sheetParts(zip, made, sheet, names.length + index + 1);
  const all = names.map((name, index) => ({ name, id: index + 1 }));
  const order = [...front.map(({ name }, index) => ({ name, id: names.length + index + 1 })), ...all];
  for (const [path, xml] of Object.entries(frameOf(order))) add(zip, path).push(ENCODER.encode(xml), true);
  zip.end();
  yield* taken(made);
}

type Order = { name: string; id: number }[];

function* sheetParts(zip: Zip, made: Uint8Array[], { frozen, widths, rows }: WorkSheet, id: number) {
  const file = add(zip, `xl/worksheets/sheet${id}.xml`);
  const pane =
    frozen > 0 ? `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/>` : "";
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  let xml = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`;
  if (columns.length > 0) xml += `<cols>${columns.join("")}</cols>`;
  xml += "<sheetData>";
  let number = 0;
  for (const row of rows) {
    number++;
    if (row.length > 0) xml += rowXml(row, number);
    if (xml.length < PIECE) continue;
    file.push(ENCODER.encode(xml));
    xml = "";
    yield* taken(made);
  }
  file.push(ENCODER.encode(`${xml}</sheetData></worksheet>`), true);
  yield* taken(made);
}

function add(zip: Zip, path: string): ZipDeflate {
  // A level that costs little: rows are alike.
  const file = new ZipDeflate(path, { level: 3 });
  zip.add(file);
  return file;
}

function* taken(made: Uint8Array[]) {
  yield* made.splice(0);
}

/** What holds the sheets together. */
function frameOf(sheets: Order): Record<string, string> {
  const list = sheets
    .map(({ name, id }) => `<sheet name="${escapeXml(name)}" sheetId="${id}" r:id="s${id}"/>`)
    .join("");
  const relations = sheets
    .map(({ id }) => `<Relationship Id="s${id}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${id}.xml"/>`)
    .join("");
  const types = sheets
    .map(({ id }) => `<Override PartName="/xl/worksheets/sheet${id}.xml" ContentType="${TYPE}.worksheet+xml"/>`)
    .join("");
  return {
    "xl/styles.xml": stylesXml(),
    "xl/workbook.xml": `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relations}<Relationship Id="styles" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    "_rels/.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="book" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "[Content_Types].xml": `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${types}</Types>`,
  };
}

const ENCODER = new TextEncoder();
/** Characters of XML that are compressed at a time. */
const PIECE = 65_536;
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
