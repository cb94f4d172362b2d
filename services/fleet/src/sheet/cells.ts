import type { z } from "zod";
import type { Offence } from "#shared/error/api-error.ts";
import { offencesOf, readerOf } from "#shared/operation/parameters.ts";
import { clockOf } from "#shared/time/clock.ts";

/** The rows of the text, as many as may be, each by its cells. */
export function rowsOf(batch: string, limit: number) {
  const rows = batch.split(/\r\n|\n|\r/).filter((row) => row.trim() !== "");
  const kept = rows.slice(0, limit).map((row) => row.split("\t").map((cell) => cell.trim()));
  return { rows: kept, limit_exceeded: rows.length > kept.length };
}

/** What the cells of one column say, each once. */
export function namesOf<Field extends string>(field: Field, rows: string[][], fields: Field[]): string[] {
  const column = fields.indexOf(field);
  if (column < 0) return [];
  return [...new Set(rows.map((cells) => cells[column] ?? "").filter((cell) => cell !== ""))];
}

/** Empty cells are absent; cells beyond the columns are passed over. */
export function cellsOf<Field extends string>(cells: string[], fields: Field[]): Cells<Field> {
  const named = fields.map((field, column) => [field, cells[column] ?? ""] as const);
  const kept = named.filter(([field, cell]) => field !== "undefined" && cell !== "");
  // `fromEntries` forgets that the keys are of the columns.
  return Object.fromEntries(kept) as Cells<Field>;
}
export type Cells<Field extends string> = Partial<Record<Field, string>>;

/** What create would take of the cells; undefined where it would not. */
export function checkedOf<Schema extends z.ZodType>(schema: Schema, cells: unknown, errors: Offence[]) {
  const read = readerOf(schema)(cells, "", false, { clock: NO_CLOCK, offences: errors });
  const checked = schema.safeParse(read);
  if (!checked.success) errors.push(...offencesOf(checked.error.issues, read));
  return checked.data;
}

/** Of a row with errors, the cells that fit their columns on their own. */
export function fittingOf(cells: Record<string, unknown>, shape: Record<string, z.ZodType>) {
  const members = Object.entries(cells).flatMap(([name, cell]) => {
    const schema = shape[name];
    if (!schema || cell === undefined) return [];
    const read = readerOf(schema)(cell, name, false, { clock: NO_CLOCK, offences: [] });
    return schema.safeParse(read).success ? [[name, read] as const] : [];
  });
  return Object.fromEntries(members);
}

/** Rows hold days, never moments: no zone is asked for. */
const NO_CLOCK = clockOf({}, "UTC", false);
