import type { Cell, Column, Section, Table } from "../layout/sheet.ts";

/** A section as lines of cells, each beside its column; those of a heading have one cell. */
export type Line = { kind: "heading" | "titles" | "values" | "total"; cells: LineCell[] };
export type LineCell = { text: string; column?: Column };

export function linesOf(section: Section): Line[] {
  if (section.type === "text") return [{ kind: "values", cells: [{ text: section.text }] }];
  if (section.type === "table") return linesOfTable(section);
  const heading: Line = { kind: "heading", cells: [{ text: section.header }] };
  const rows = section.rows.map(
    ({ name, v }): Line => ({ kind: "values", cells: [{ text: name }, { text: v, column: VALUE }] }),
  );
  return [heading, ...rows];
}

function linesOfTable({ header, columns, data }: Table): Line[] {
  const titles: Line = { kind: "titles", cells: columns.map((column) => ({ text: column.title, column })) };
  const heading = (text: string): Line => ({ kind: "heading", cells: [{ text }] });
  return [
    heading(header),
    ...data.flatMap(({ header, rows, total }) => [
      heading(header),
      titles,
      ...rows.map(
        (row): Line => ({ kind: "values", cells: columns.map((column) => cellOf(row[column.field], column)) }),
      ),
      ...(total ? [{ kind: "total" as const, cells: totalCells(total, columns) }] : []),
    ]),
  ];
}

/** The words stand in the first column, which is not summed up. */
function totalCells(total: NonNullable<Table["data"][number]["total"]>, columns: Column[]): LineCell[] {
  return columns.map((column, index) => {
    const cell = total[column.field];
    if (typeof cell === "object") return cellOf(cell, column);
    return { text: index === 0 ? total.text : "", column };
  });
}

function cellOf(cell: Cell | undefined, column: Column): LineCell {
  return { text: cell?.v ?? "", column };
}

const VALUE: Column = { field: "v", title: "", align: "right", width: 1, weight: 0, highlight_min_max: false };
