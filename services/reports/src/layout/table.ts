import type { Cell, Column, NamedValue, RowGroup, Section, Source } from "./sheet.ts";
import { sourceOfAll } from "./source.ts";
import { toColumn, type Writer } from "./writer.ts";

/** A column of a table, what stands in it for each item, and what it comes to below. */
export type Field<Item> = Column & { cell(item: Item): Cell; total?(items: Item[]): Cell };

/** Rows that stand together: by the days on which they begin, where nothing else is said. */
export type Grouping<Item> = { keyOf(item: Item): string; headerOf(first: Item, rows: number): string };

type Layout<Item> = {
  header: string;
  fields: Field<Item>[];
  items: Item[];
  grouping: Grouping<Item>;
  /** Of what a row was made. */
  sourceOf(item: Item): Source;
};

/** The table; where it would be too long, its beginning with a line that says so. Totals are those of all items. */
export function createTable<Item>(
  { header, fields, items, grouping, sourceOf }: Layout<Item>,
  writer: Writer,
): Section[] {
  const columns = fields.map(({ cell, total, ...column }) => column);
  let room = MAX_TABLE_ROWS;
  const groups = [...Map.groupBy(items, grouping.keyOf).values()];
  const data = groups.flatMap((all): RowGroup[] => {
    const [first] = all;
    const shown = all.slice(0, room);
    room -= shown.length;
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

/** What makes columns of a table of such items. */
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
    /** Its total is the sum. */
    sum: (field: string, title: string, write: Write, of: (item: Item) => number): Field<Item> => ({
      ...toColumn(field, title),
      cell: (item) => write(of(item)),
      total: (items) => write(sumOf(items, of)),
    }),
    /** Its total is the greatest. */
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

/** A group has a row at least. */
const NEVER = { from: 0, to: 0 };
/** More nobody reads, and no file holds. */
export const MAX_TABLE_ROWS = 60_000;
