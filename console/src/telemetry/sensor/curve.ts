import type { Bend } from "./formula.ts";

/** A row of the table as it was typed. */
export type CurveRow = { in: string; out: string };
export type Column = keyof CurveRow;
export type RowFault = { kind: "incomplete" | "noNumber" } | { kind: "twice"; firstRow: number };
export type CheckedCurve = {
  /** Sorted; undefined while a row has a fault. */
  bends: Bend[] | undefined;
  /** By index of the row. */
  faults: Map<number, RowFault>;
};

export const MAX_ROWS = 1_000;
const COLUMNS: Column[] = ["in", "out"];
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** `1.234` or `1,234`, which may be a thousand or little more than one. */
const ONE_GROUP = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** The sign between whole numbers and decimals in a locale. */
export function decimalOf(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(({ type }) => type === "decimal")?.value === "," ? "," : ".";
}

/** A number as people and spreadsheets of either decimal sign write it; null for any other text. */
export function parseNumber(text: string, decimal: string): number | null {
  const plain = text.replace(/[\s'’]/g, "").replace("−", "-");
  const signs: string[] = plain.match(/[.,]/g) ?? [];
  const last = signs.at(-1) ?? decimal;
  const isRepeated = signs.length > 1 && signs.every((sign) => sign === last);
  if (!isRepeated && signs.indexOf(last) < signs.length - 1) return null;
  const isGroup = isRepeated || (signs.length === 1 && last !== decimal && ONE_GROUP.test(plain));
  const [whole = "", fraction] = isGroup ? [plain] : splitLast(plain, last);
  const number = [whole.replace(/[.,]/g, ""), fraction].filter((part) => part !== undefined).join(".");
  return NUMBER.test(number) && Number.isFinite(Number(number)) ? Number(number) : null;
}

export function toRows(bends: readonly Bend[], decimal: string): CurveRow[] {
  const show = (value: number) => String(value).replace(".", decimal);
  return bends.map((bend) => ({ in: show(bend.in), out: show(bend.out) }));
}

/** The rows with one empty row at the end, in which one goes on typing. */
export function withEmptyRow(rows: CurveRow[]): CurveRow[] {
  let count = rows.length;
  while (count > 0 && isEmpty(rows[count - 1])) count--;
  const filled = rows.slice(0, Math.min(count, MAX_ROWS));
  return filled.length < MAX_ROWS ? [...filled, { in: "", out: "" }] : filled;
}

/** The curve of the rows, or the fault of each row that has one. Empty rows count for nothing. */
export function checkRows(rows: readonly CurveRow[], decimal: string): CheckedCurve {
  const faults = new Map<number, RowFault>();
  const bends: Bend[] = [];
  const rowsByValue = new Map<number, number>();
  for (const [index, row] of rows.entries()) {
    if (isEmpty(row)) continue;
    const [from, to] = [parseNumber(row.in, decimal), parseNumber(row.out, decimal)];
    const firstRow = from === null ? undefined : rowsByValue.get(from);
    if (!row.in.trim() || !row.out.trim()) faults.set(index, { kind: "incomplete" });
    else if (from === null || to === null) faults.set(index, { kind: "noNumber" });
    else if (firstRow !== undefined) faults.set(index, { kind: "twice", firstRow });
    else {
      rowsByValue.set(from, index + 1);
      bends.push({ in: from, out: to });
    }
  }
  return { bends: faults.size > 0 ? undefined : bends.toSorted((one, other) => one.in - other.in), faults };
}

/** Whether a pasted text has several cells. */
export function isTable(text: string): boolean {
  return /[\t;]|\n./.test(text.trim());
}

/** Puts the cells of a spreadsheet over the rows, from a cell on. A first line without numbers is a header and left out. */
export function pasteCells(rows: readonly CurveRow[], text: string, at: { row: number; column: Column }): CurveRow[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => line.split(line.includes("\t") ? "\t" : ";").map((cell) => cell.trim()));
  const isHeader = lines.length > 1 && !lines[0]?.some((cell) => /\d/.test(cell));
  const columns = COLUMNS.slice(COLUMNS.indexOf(at.column));
  const pasted = [...rows];
  for (const [index, cells] of (isHeader ? lines.slice(1) : lines).entries()) {
    const row = Object.fromEntries(columns.flatMap((column, place) => (cells[place] ? [[column, cells[place]]] : [])));
    pasted[at.row + index] = { in: "", out: "", ...pasted[at.row + index], ...row };
  }
  return withEmptyRow(pasted);
}

function splitLast(text: string, sign: string): string[] {
  const at = text.lastIndexOf(sign);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function isEmpty(row: CurveRow | undefined): boolean {
  return !row || (row.in.trim() === "" && row.out.trim() === "");
}
