import { imageSize } from "image-size";
import { XML } from "./cells.ts";
import { OFFICE, relations } from "./package.ts";

/** A picture and the row, from 0, whose first cell it is placed beside. */
export type AnchoredPicture = { jpeg: Uint8Array; row: number };

/** The package parts that place pictures on a sheet. Office Open XML, part 1, 20.5. */
export function drawingParts(
  pictures: AnchoredPicture[],
  { sheet, before }: SheetPosition,
): [path: string, content: string | Uint8Array][] {
  const nameOf = (index: number) => `image${before + index + 1}.jpeg`;
  const images = pictures.map((_, index) => ({ id: `p${index}`, type: "image", target: `../media/${nameOf(index)}` }));
  const drawing = { id: DRAWING_ID, type: "drawing", target: `../drawings/drawing${sheet}.xml` };
  return [
    [`xl/drawings/drawing${sheet}.xml`, `${XML}<xdr:wsDr ${NAMES}>${pictures.map(anchorOf).join("")}</xdr:wsDr>`],
    [`xl/drawings/_rels/drawing${sheet}.xml.rels`, relations(images)],
    [`xl/worksheets/_rels/sheet${sheet}.xml.rels`, relations([drawing])],
    ...pictures.map(({ jpeg }, index): [string, Uint8Array] => [`xl/media/${nameOf(index)}`, jpeg]),
  ];
}

/** The number of the sheet, and of pictures on the sheets before it. */
type SheetPosition = { sheet: number; before: number };

/** The sheet's reference to its drawing. */
export function drawingXml() {
  return `<drawing xmlns:r="${OFFICE}" r:id="${DRAWING_ID}"/>`;
}

function anchorOf({ jpeg, row }: AnchoredPicture, index: number) {
  const { width, height } = imageSize(jpeg);
  const size = `cx="${width * EMU_PER_PIXEL}" cy="${height * EMU_PER_PIXEL}"`;
  const at = `<xdr:col>1</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff>`;
  const frame = `<xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr>`;
  const name = `<xdr:nvPicPr><xdr:cNvPr id="${index + 1}" name="${index + 1}"/><xdr:cNvPicPr/></xdr:nvPicPr>`;
  const fill = `<xdr:blipFill><a:blip r:embed="p${index}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>`;
  const picture = `<xdr:pic>${name}${fill}${frame}</xdr:pic>`;
  return `<xdr:oneCellAnchor><xdr:from>${at}</xdr:from><xdr:ext ${size}/>${picture}<xdr:clientData/></xdr:oneCellAnchor>`;
}

const DRAWING_ID = "drawing";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";
const NAMES = `xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}"`;
/** EMU, 914,400 per inch. */
const EMU_PER_PIXEL = 9525;
