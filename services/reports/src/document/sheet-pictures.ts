import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { imageSize } from "image-size";
import type { Picture } from "#shared/contract/table-document.ts";

/** The book of one sheet with a picture in each row from this one on, in the column behind the first. Office Open XML, part 1, 20.5. */
export function withPictures(book: Uint8Array, pictures: Picture[], firstRow: number): Uint8Array {
  const parts: Record<string, Uint8Array> = unzipSync(book);
  const insert = (path: string, end: string, xml: string) => {
    parts[path] = strToU8(strFromU8(parts[path] ?? new Uint8Array()).replace(end, `${xml}${end}`));
  };
  const anchors = pictures.map(({ jpeg }, index) => anchorOf(jpeg, index, firstRow + index));
  const images = pictures.map((_, index) => relation(index, "image", `../media/image${index + 1}.jpeg`));
  for (const [index, { jpeg }] of pictures.entries()) parts[`xl/media/image${index + 1}.jpeg`] = jpeg;
  parts["xl/drawings/drawing1.xml"] = strToU8(`${HEAD}<xdr:wsDr ${NAMES}>${anchors.join("")}</xdr:wsDr>`);
  parts["xl/drawings/_rels/drawing1.xml.rels"] = relations(images);
  parts["xl/worksheets/_rels/sheet1.xml.rels"] = relations([relation(0, "drawing", "../drawings/drawing1.xml")]);
  insert("xl/worksheets/sheet1.xml", "</worksheet>", `<drawing xmlns:r="${OFFICE}" r:id="rId1"/>`);
  insert("[Content_Types].xml", "</Types>", TYPES);
  return zipSync(parts);
}

function anchorOf(jpeg: Uint8Array, index: number, row: number) {
  const { width, height } = imageSize(jpeg);
  const size = `cx="${width * PIXEL}" cy="${height * PIXEL}"`;
  const at = `<xdr:col>1</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff>`;
  const frame = `<xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr>`;
  const name = `<xdr:nvPicPr><xdr:cNvPr id="${index + 1}" name="${index + 1}"/><xdr:cNvPicPr/></xdr:nvPicPr>`;
  const fill = `<xdr:blipFill><a:blip r:embed="rId${index + 1}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>`;
  const picture = `<xdr:pic>${name}${fill}${frame}</xdr:pic>`;
  return `<xdr:oneCellAnchor><xdr:from>${at}</xdr:from><xdr:ext ${size}/>${picture}<xdr:clientData/></xdr:oneCellAnchor>`;
}

function relation(index: number, type: string, target: string) {
  return `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

function relations(all: string[]): Uint8Array {
  const xmlns = "http://schemas.openxmlformats.org/package/2006/relationships";
  return strToU8(`${HEAD}<Relationships xmlns="${xmlns}">${all.join("")}</Relationships>`);
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";
const NAMES = `xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}"`;
const TYPES = `<Default Extension="jpeg" ContentType="image/jpeg"/><Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>`;
/** In the units of the format, 914,400 an inch. */
const PIXEL = 9525;
