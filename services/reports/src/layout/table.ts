import type { Cell, Column, NamedValue, RowGroup, Section, Source } from "./sheet.ts";
import { sourceOfAll } from "./source.ts";
import { toColumn, type Writer } from "./writer.ts";

/** A column with its cell for each item, and its total. */
export type Field<Item> = Column & { cell(item: Item): Cell; total?(items: Item[]): Cell };

/** How rows are grouped, usually by the day on which they begin. */
export type Grouping<Item> = { keyOf(item: Item): string; headerOf(first: Item, rows: number): string };

type Layout<Item> = {
  header: string;
  fields: Field<Item>[];
  items: Item[];
  grouping: Grouping<Item>;
  /** The evidence of a row. */
  sourceOf(item: Item): Source;
};

/** The table, cut to its first rows with a note if it is too long. Totals are those of all items. */
export function createTable<Item>(
  { header, fields, items, grouping, sourceOf }: Layout<Item>,
  writer: Writer,
): Section[] {
  const columns = fields.map(({ cell, total, ...column }) => column);
  let rowsLeft = MAX_TABLE_ROWS;
  const groups = [...Map.groupBy(items, grouping.keyOf).values()];
  const data = groups.flatMap((all): RowGroup[] => {
    const [first] = all;
    const shown = all.slice(0, rowsLeft);
    rowsLeft -= shown.length;
    if (!first || shown.length === 0) return [];
    const sources = all.map(sourceOf);
    return [
      {
        header: grouping.headerOf(first, all.length),
        rows: shown.map((item) => Object.fromEntries(fields.map(({ field, cell }) => [field, cell(item)]))),
        ...totalOf(fields, all, writer),
        sources: sources.slice(0, shown.length),
        total_source: sourceOfAll(sources, NEVER),
      },
    ];
  });
  const table: Section = { type: "table", header, column_groups: [], columns, data };
  return items.length > MAX_TABLE_ROWS ? [table, cutNote(writer)] : [table];
}

export function byDay<Item extends { start_time: number }>({ dayOf, dayHeader }: Writer): Grouping<Item> {
  return {
    keyOf: ({ start_time }) => dayOf(start_time),
    headerOf: ({ start_time }, rows) => dayHeader(start_time, rows),
  };
}

export function byName<Item>(nameOf: (item: Item) => string): Grouping<Item> {
  return { keyOf: nameOf, headerOf: (first, rows) => `${nameOf(first)} : ${rows}` };
}

export function summaryTable(rows: NamedValue[], { words }: Writer): Section {
  return { type: "map_table", header: words("Summary", "Zusammenfassung"), rows };
}

export function cutNote({ words }: Writer): Section {
  const text = words("Only the first lines are shown.", "Nur die ersten Zeilen.");
  return { type: "text", text, style: "small_print" };
}

/** Helpers that define columns of a table with this type of items. */
export function defineFields<Item>() {
  return {
    text: (field: string, title: string, cell: (item: Item) => Cell, width = 2): Field<Item> => ({
      ...toColumn(field, title, { isText: true, width }),
      cell,
    }),
    value: (
      field: string,
      title: string,
      cell: (item: Item) => Cell,
      total?: (items: Item[]) => Cell,
    ): Field<Item> => ({ ...toColumn(field, title), cell, ...(total && { total }) }),
    /** A column whose total is the sum. */
    sum: (field: string, title: string, write: Write, of: (item: Item) => number): Field<Item> => ({
      ...toColumn(field, title),
      cell: (item) => write(of(item)),
      total: (items) => write(sumOf(items, of)),
    }),
    /** A column whose total is the greatest value. */
    most: (field: string, title: string, write: Write, of: (item: Item) => number): Field<Item> => ({
      ...toColumn(field, title),
      cell: (item) => write(of(item)),
      total: (items) => write(maxOf(items, of)),
    }),
  };
}
type Write = (value: number) => Cell;

export function sumOf<Item>(items: Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

export function maxOf<Item>(items: Item[], of: (item: Item) => number): number {
  return items.reduce((most, item) => Math.max(most, of(item)), 0);
}

function totalOf<Item>(fields: Field<Item>[], items: Item[], { words }: Writer) {
  const cells = fields.flatMap(({ field, total }) => (total ? [[field, total(items)] as const] : []));
  if (cells.length === 0) return {};
  return { total: { text: words("In total:", "Insgesamt:"), ...Object.fromEntries(cells) } };
}

/** Never used: each group has at least one row. */
const NEVER = { from: 0, to: 0 };
/** Longer tables are not readable, and do not fit into files. */
export const MAX_TABLE_ROWS = 60_000;
