import type { Picture } from "#shared/contract/table-document.ts";
import type { Language } from "#shared/text/language.ts";
import type { Chart } from "./chart.ts";
import type { Line, LineCell, MapAddress } from "./lines.ts";

/** What every file is made of, whatever its format. */
export type Document = {
  title: string;
  language: Language;
  /** Of a title page or sheet, which names the parts; null: there is none. */
  head: { title: string; subtitle: string } | null;
  /** One after the other: there may be many, and each may be large. */
  parts: AsyncIterable<DocumentPart>;
  /** What a cell is, for formats that have more than texts. */
  cellValue(cell: LineCell): CellValue;
  mapAddress: MapAddress;
};

/** What has pages, or a sheet, of its own. */
export type DocumentPart = { header: string; blocks: Block[] };
/** What stands below each other in a part; a format leaves out what it cannot show. */
export type Block = { lines(): Iterable<Line> } | { chart: Chart } | { pictures: Picture[] };

/** A date and a day are in days since 1899-12-30 of the reader's clock, a duration is in days; null: nothing stands there. */
export type CellValue =
  | { kind: "text"; text: string }
  | { kind: "number" | "date" | "day" | "duration"; value: number }
  | null;

/**
 * Blocks, which their part holds no more once they are read: whoever waits for the next part still has this one, and two
 * large ones are too much for a Worker's memory.
 */
export function* releaseBlocks(blocks: Block[]): Generator<Block> {
  for (let block = blocks.shift(); block; block = blocks.shift()) yield block;
}
