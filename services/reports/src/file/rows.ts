import { type DocumentPart, releaseBlocks } from "../layout/document.ts";
import type { Line, LineCell } from "../layout/lines.ts";

/** A row of a sheet; a picture is placed beside its caption. */
export type SheetRow = { cells: LineCell[]; isBold: boolean; jpeg?: Uint8Array };
/** `frozen` rows at the top do not scroll; widths are in characters. */
export type SheetShape = { frozen: number; widths: number[] };

/** The header and the blocks, separated by empty rows. */
export function* toSheetRows({ header, blocks }: DocumentPart): Generator<SheetRow> {
  yield { cells: [{ text: header }], isBold: true };
  for (const block of releaseBlocks(blocks)) {
    if ("chart" in block) continue;
    if ("lines" in block) for (const { kind, cells } of block.lines()) yield { cells, isBold: kind !== "values" };
    else for (const { caption, jpeg } of block.pictures) yield { cells: [{ text: caption }], isBold: false, jpeg };
    yield { cells: [], isBold: false };
  }
}

/** Widths measured from the first lines; the titles of the first table are frozen. */
export function measureSheet(part: DocumentPart): SheetShape {
  const widths: number[] = [];
  let frozen = 1;
  let passed = 1;
  for (const { kind, cells } of firstLines(part)) {
    passed++;
    if (kind === "titles" && passed <= MAX_FROZEN_ROWS) frozen = Math.max(frozen, passed);
    // A heading may exceed its column.
    if (cells.length < 2) continue;
    for (const [index, { text }] of cells.entries())
      widths[index] = Math.min(MAX_COLUMN_WIDTH, Math.max(widths[index] ?? 8, text.length + 2));
  }
  return { frozen, widths };
}

function* firstLines({ blocks }: DocumentPart): Generator<Line> {
  let count = 0;
  for (const block of blocks) {
    if (!("lines" in block)) continue;
    for (const line of block.lines()) {
      if (++count > MAX_MEASURED_LINES) return;
      yield line;
    }
    // An empty row separates blocks.
    yield { kind: "values", cells: [] };
  }
}

export const MAX_COLUMN_WIDTH = 60;
const MAX_MEASURED_LINES = 1000;
const MAX_FROZEN_ROWS = 6;
