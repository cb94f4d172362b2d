import type { ReactNode } from "react";
import type { SearchParams } from "../search-params.ts";

/** A column of a table. `value` sorts and is searched; `render` shows more than the text of the value. */
export type Column<Row> = {
  id: string;
  label: string;
  value(row: Row): string | number | null | undefined;
  render?(row: Row): ReactNode;
  /** A width of CSS grid, such as `minmax(10rem, 2fr)`. */
  width?: string;
  align?: "end";
  /** Hidden until the user chooses it. */
  isHidden?: boolean;
  /** The table begins with its largest value if this is the first column and no order is chosen. */
  isLargestFirst?: boolean;
};

/** A filter of a table, which keeps its values in the address under its id. */
export type Filter<Row> = {
  id: string;
  label: string;
  options: { value: string; label: string }[];
  /** One of the options' values, or several, of which one has to be chosen. */
  value(row: Row): string | string[];
};

export type Sorting = { column: string; isDescending: boolean };

/** Values in an address, separated by commas. */
export function listIn(text: string | undefined): string[] {
  return text ? text.split(",") : [];
}

/** The columns that the address names, in the order of the table; those that are not hidden if it names none. */
export function chooseColumns<Row>(columns: Column<Row>[], { columns: chosen }: SearchParams): Column<Row>[] {
  const ids = listIn(chosen);
  const known = columns.filter(({ id }) => ids.includes(id));
  return known.length > 0 ? known : columns.filter(({ isHidden }) => !isHidden);
}

/** The order that the address names; that of the first column if it names none. */
export function sortingIn<Row>(columns: Column<Row>[], { sort }: SearchParams): Sorting {
  const column = sort?.replace(/^-/, "");
  if (column && columns.some(({ id }) => id === column))
    return { column, isDescending: sort?.startsWith("-") ?? false };
  return { column: columns[0]?.id ?? "", isDescending: columns[0]?.isLargestFirst ?? false };
}

export function toSortParam({ column, isDescending }: Sorting): string {
  return isDescending ? `-${column}` : column;
}

type Selection<Row> = { rows: Row[]; columns: Column<Row>[]; filters: Filter<Row>[]; search: SearchParams };

/** The rows that match the search and the filters of the address, sorted. Values that are absent come last. */
export function selectRows<Row>({ rows, columns, filters, search }: Selection<Row>, locale: string): Row[] {
  const words = (search.q ?? "").toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const active = filters
    .map((filter) => ({ filter, values: listIn(search[filter.id]) }))
    .filter((one) => one.values.length);
  const matching = rows.filter(
    (row) =>
      active.every(({ filter, values }) => [filter.value(row)].flat().some((value) => values.includes(value))) &&
      hasWords(row, columns, words),
  );
  const sorting = sortingIn(columns, search);
  const column = columns.find(({ id }) => id === sorting.column);
  if (!column) return matching;
  const compareTexts = new Intl.Collator(locale, { numeric: true, sensitivity: "base" }).compare;
  const direction = sorting.isDescending ? -1 : 1;
  // Each value is computed once: comparisons are many more than rows.
  return matching
    .map((row) => ({ row, value: column.value(row) }))
    .toSorted((one, other) => {
      if (isAbsent(one.value) || isAbsent(other.value))
        return Number(isAbsent(one.value)) - Number(isAbsent(other.value));
      const isNumeric = typeof one.value === "number" && typeof other.value === "number";
      return (
        direction *
        (isNumeric ? Number(one.value) - Number(other.value) : compareTexts(`${one.value}`, `${other.value}`))
      );
    })
    .map(({ row }) => row);
}

function hasWords<Row>(row: Row, columns: Column<Row>[], words: string[]): boolean {
  if (words.length === 0) return true;
  const texts = columns.map((column) => `${column.value(row) ?? ""}`.toLocaleLowerCase());
  return words.every((word) => texts.some((text) => text.includes(word)));
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}
