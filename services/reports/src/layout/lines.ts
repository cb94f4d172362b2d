import type { Cell, Column, Section, Table } from "./sheet.ts";

/** A line of cells with their columns; a heading has one cell. */
export type Line = { kind: "heading" | "titles" | "values" | "total"; cells: LineCell[] };
/** `raw` as in a table, undefined for words. `isBlank` marks a cell without even an empty text. */
export type LineCell = { text: string; column?: Column; raw?: number; location?: Cell["location"]; isBlank?: true };

/** Writes the address of a map that shows the position. */
export type MapAddress = (place: NonNullable<Cell["location"]>) => string;

/** Yields lines one by one: a section may have many. */
export function* toLines(section: Section): Generator<Line> {
  if (section.type === "text") yield { kind: "values", cells: [{ text: section.text }] };
  else if (section.type === "table") yield* toTableLines(section);
  else {
    yield { kind: "heading", cells: [{ text: section.header }] };
    for (const { name, v, raw } of section.rows) {
      // Lists of values have durations in minutes.
      const seconds = v.includes(":") ? raw * 60 : raw;
      yield { kind: "values", cells: [{ text: name }, { text: v, column: VALUE, raw: seconds }] };
    }
  }
}

function* toTableLines({ header, columns, data }: Table): Generator<Line> {
  const titles: Line = { kind: "titles", cells: columns.map((column) => ({ text: column.title, column })) };
  yield { kind: "heading", cells: [{ text: header }] };
  for (const group of data) {
    yield { kind: "heading", cells: [{ text: group.header }] };
    yield titles;
    for (const row of group.rows)
      yield { kind: "values", cells: columns.map((column) => cellOf(row[column.field], column)) };
    if (group.total) yield { kind: "total", cells: totalCells(group.total, columns) };
  }
}

/** The label of the total is in the first column, which has no sum. */
function totalCells(total: NonNullable<Table["data"][number]["total"]>, columns: Column[]): LineCell[] {
  return columns.map((column, index) => {
    const cell = total[column.field];
    if (typeof cell === "object") return cellOf(cell, column);
    return { text: index === 0 ? total.text : "", column };
  });
}

function cellOf(cell: Cell | undefined, column: Column): LineCell {
  return { text: cell?.v ?? "", column, ...(cell && { raw: cell.raw, location: cell.location }) };
}

const VALUE: Column = { field: "v", title: "", align: "right", width: 1, weight: 0, highlight_min_max: false };
