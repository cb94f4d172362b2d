import type { Picture } from "#shared/contract/file/table-document.ts";
import type { Language } from "#shared/text/language.ts";
import type { Chart } from "./chart.ts";
import type { Line, LineCell, MapAddress } from "./lines.ts";

/** The content of a file, independent of its format. */
export type Document = {
  title: string;
  language: Language;
  /** The title page or sheet, which lists the parts; null for none. */
  head: { title: string; subtitle: string } | null;
  /** Read one after the other: there may be many, and each may be large. */
  parts: AsyncIterable<DocumentPart>;
  /** The typed value of a cell, for formats that distinguish types. */
  cellValue(cell: LineCell): CellValue;
  mapAddress: MapAddress;
};

/** A part with pages, or a sheet, of its own. */
export type DocumentPart = { header: string; blocks: Block[] };
/** Blocks of a part stand below each other; formats skip blocks that they cannot show. */
export type Block = { lines(): Iterable<Line> } | { chart: Chart } | { pictures: Picture[] };

/** Dates and days count days since 1899-12-30 by the reader's clock, durations are in days; null is an empty cell. */
export type CellValue =
  | { kind: "text"; text: string }
  | { kind: "number" | "date" | "day" | "duration"; value: number }
  | null;

/**
 * Removes each block from its part as it is read: while the next part is made, the previous one is still referenced,
 * and two large ones exceed a Worker's memory.
 */
export function* releaseBlocks(blocks: Block[]): Generator<Block> {
  for (let block = blocks.shift(); block; block = blocks.shift()) yield block;
}
