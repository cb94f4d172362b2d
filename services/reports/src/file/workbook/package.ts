import { escapeXml, MAIN, stylesXml, XML } from "./cells.ts";

export type NamedSheet = { name: string; id: number; pictures: number };

/** The package parts that list the sheets. Office Open XML, part 2. */
export function packageParts(title: string, sheets: NamedSheet[]): Record<string, string> {
  const list = sheets.map(({ name, id }) => `<sheet name="${escapeXml(name)}" sheetId="${id}" r:id="s${id}"/>`);
  const styles = { id: "styles", type: "styles", target: "styles.xml" };
  return {
    "xl/styles.xml": stylesXml(),
    "xl/workbook.xml": `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ...sheets.map(({ id }) => ({ id: `s${id}`, type: "worksheet", target: `worksheets/sheet${id}.xml` })),
      styles,
    ]),
    "docProps/core.xml": `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title></cp:coreProperties>`,
    "_rels/.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="book" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="core" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    "[Content_Types].xml": `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="jpeg" ContentType="image/jpeg"/>${overrides(sheets)}</Types>`,
  };
}

/** Relations of one package part to other parts, by their types. */
export function relations(all: { id: string; type: string; target: string }[]): string {
  const list = all.map(
    ({ id, type, target }) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list.join("")}</Relationships>`;
}

function overrides(sheets: NamedSheet[]): string {
  const override = (path: string, type: string) => `<Override PartName="/${path}" ContentType="${TYPE}${type}+xml"/>`;
  return [
    override("xl/workbook.xml", ".spreadsheetml.sheet.main"),
    override("xl/styles.xml", ".spreadsheetml.styles"),
    `<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>`,
    ...sheets.map(({ id }) => override(`xl/worksheets/sheet${id}.xml`, ".spreadsheetml.worksheet")),
    ...sheets
      .filter(({ pictures }) => pictures > 0)
      .map(({ id }) => override(`xl/drawings/drawing${id}.xml`, ".drawing")),
  ].join("");
}

export const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument";
