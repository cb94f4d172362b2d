import type { Bounds } from "../../point/bounds.ts";
import { widthOf } from "./box.ts";

/**
 * The grid cell of a box. Levels divide the earth into squares of 360, 180, … degrees. A box belongs to the cell of its
 * south-west corner, at the finest level whose squares are at least as large: it reaches no further than the next
 * square.
 */
export function cellOf(box: Bounds): number {
  const extent = Math.max(widthOf(box), box.north - box.south);
  const level = Math.max(0, Math.min(MAX_LEVEL, Math.floor(Math.log2(360 / extent))));
  const [x, y] = squareOf(box.south, box.west, level);
  return cellAt(level, x, y);
}

/** Cells of all boxes that may contain the position: four on each level. */
export function cellsAround(lat: number, lng: number): number[] {
  const cells = new Set<number>();
  for (let level = 0; level <= MAX_LEVEL; level++) {
    const [x, y] = squareOf(lat, lng, level);
    for (const column of [x, (x - 1 + 2 ** level) % 2 ** level]) {
      for (const row of [y, y - 1]) if (row >= 0) cells.add(cellAt(level, column, row));
    }
  }
  return [...cells];
}

function squareOf(lat: number, lng: number, level: number): [x: number, y: number] {
  const size = 360 / 2 ** level;
  return [Math.floor((lng + 180) / size) % 2 ** level, Math.floor((lat + 90) / size)];
}

function cellAt(level: number, x: number, y: number) {
  return (level * SQUARES_PER_LINE + x) * SQUARES_PER_LINE + y;
}

/** Squares of about 40 meters. */
const MAX_LEVEL = 20;
const SQUARES_PER_LINE = 2 ** 21;
