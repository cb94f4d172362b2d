import type { Picture } from "#shared/contract/file/table-document.ts";
import { A4_LANDSCAPE, type Drawing } from "./paper.ts";

/** Rows of three pictures, each with its caption. */
export function pictureDrawings(pictures: Picture[]): Drawing[] {
  const rows = Array.from({ length: Math.ceil(pictures.length / 3) }, (_, row) => pictures.slice(3 * row, 3 * row + 3));
  return rows.map((row) => ({
    height: PICTURE + 26,
    texts: row.map(({ caption }) => caption),
    draw(paper, top) {
      for (const [index, { caption, jpeg }] of row.entries()) {
        const x = A4_LANDSCAPE.margin + index * (PICTURE + 8);
        const [line] = paper.setter.linesOf(caption, PICTURE, CAPTION);
        if (line) paper.draw(line, { x, y: top }, CAPTION);
        paper.image(jpeg, { x, y: top + 14, width: PICTURE, height: PICTURE });
      }
    },
  }));
}

const CAPTION = { size: 8, bold: false };
/** Points. */
const PICTURE = 250;
