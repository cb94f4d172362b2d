/** The content of a cell. Dates are in days since 1899-12-30 by the reader's clock, durations in days. */
export type SheetCell =
  | { kind: "text"; text: string; bold?: boolean }
  | { kind: "link"; text: string; address: string; bold?: boolean }
  | { kind: "number" | "date" | "day" | "duration"; value: number; bold?: boolean };

/**
 * A row as XML, with its height in points. Text stays text, even if it looks like a formula; only links are formulas.
 */
export function rowXml(cells: (SheetCell | null)[], number: number, height?: number): string {
  let xml = height === undefined ? `<row r="${number}">` : `<row r="${number}" ht="${height}" customHeight="1">`;
  for (const [index, cell] of cells.entries()) {
    if (!cell) continue;
    const place = `r="${nameOfColumn(index)}${number}" s="${STYLES.indexOf(styleOf(cell))}"`;
    if (cell.kind === "link" && cell.text.length <= MAX_FORMULA_CHARACTERS) xml += linkXml(place, cell);
    else if ("text" in cell)
      xml += `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell.text.slice(0, MAX_CELL_CHARACTERS))}</t></is></c>`;
    else xml += `<c ${place}><v>${cell.value}</v></c>`;
  }
  return `${xml}</row>`;
}

/**
 * Writes the link as a formula: plain links are listed in another file, which would have to be kept until the sheet
 * ends.
 */
function linkXml(place: string, { text, address }: { text: string; address: string }): string {
  const quoted = (words: string) => `"${words.replaceAll('"', '""')}"`;
  const formula = `HYPERLINK(${quoted(address)},${quoted(text)})`;
  return `<c ${place} t="str"><f>${escapeXml(formula)}</f><v>${escapeXml(text)}</v></c>`;
}

/** The styles; cells refer to them by index. */
export function stylesXml(): string {
  const formats = Object.values(FORMATS).map(
    (code, index) => `<numFmt numFmtId="${FIRST_FORMAT_ID + index}" formatCode="${code}"/>`,
  );
  const kinds = Object.keys(FORMATS);
  const cells = STYLES.map((style) => {
    const [kind = "", bold] = style.split(" ");
    const format = kinds.includes(kind) ? FIRST_FORMAT_ID + kinds.indexOf(kind) : 0;
    return `<xf numFmtId="${format}" fontId="${bold ? 1 : kind === "link" ? 2 : 0}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
  });
  return `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats.join("")}</numFmts>
<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="${cells.length}">${cells.join("")}</cellXfs></styleSheet>`;
}

/** Escapes text, and removes characters that XML cannot contain. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, "")
    .replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

function styleOf({ kind, bold }: SheetCell) {
  return bold ? `${kind} bold` : kind;
}

function nameOfColumn(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : nameOfColumn(Math.floor(index / 26) - 1) + last;
}

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const FORMATS = { date: "yyyy\\-mm\\-dd\\ hh:mm:ss", day: "yyyy\\-mm\\-dd", duration: "[h]:mm:ss" };
/** The format itself reserves lower ids. */
const FIRST_FORMAT_ID = 164;
// Cells without a style use the first one.
const STYLES = ["text", "number", "date", "day", "duration", "link"].flatMap((kind) => [kind, `${kind} bold`]);
/** The longest text within a formula. */
const MAX_FORMULA_CHARACTERS = 255;
/** The longest text of a cell. */
const MAX_CELL_CHARACTERS = 32_767;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be left out
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
