import type * as z from "zod";
import type { Offence } from "#shared/error/api-error.ts";
import { offencesOf, readerOf } from "#shared/operation/parameters.ts";
import { type Clock, clockOf } from "#shared/time/clock.ts";

export type Cells<Field extends string> = Partial<Record<Field, string>>;

/** Rows of tab-separated text, at most `limit`, by the names of their columns. Blank lines are skipped. */
export function rowsOf<Field extends string>(batch: string, fields: Field[], limit: number) {
  const rows: Cells<Field>[] = [];
  for (const [line] of batch.matchAll(LINE)) {
    if (line.trim() === "") continue;
    if (rows.length === limit) return { rows, limit_exceeded: true };
    rows.push(cellsOf(line.split("\t", fields.length), fields));
  }
  return { rows, limit_exceeded: false };
}

/** Empty cells are absent; cells beyond the named columns are ignored. */
export function cellsOf<Field extends string>(cells: string[], fields: Field[]): Cells<Field> {
  const cellsByField: Cells<Field> = {};
  for (const [column, field] of fields.entries()) {
    const cell = cells[column]?.trim();
    if (cell && field !== SKIPPED) cellsByField[field] = cell;
  }
  return cellsByField;
}

/** The distinct values of one column. */
export function distinctCells<Field extends string>(rows: Cells<Field>[], field: Field): string[] {
  return [...new Set(rows.flatMap((cells) => cells[field] ?? []))];
}

/** The cells as the schema of create parses them; undefined, with entries in `errors`, when it refuses them. */
export function checkCells<Schema extends z.ZodType>(
  schema: Schema,
  cells: unknown,
  errors: Offence[],
  clock: Clock = NO_CLOCK,
): z.output<Schema> | undefined {
  const read = readerOf(schema)(cells, "", false, { clock, offences: errors });
  const checked = schema.safeParse(read);
  if (!checked.success) {
    // A parameter that could not be read has its error already.
    const reported = new Set(errors.map(({ parameter }) => parameter));
    errors.push(...offencesOf(checked.error.issues, read).filter(({ parameter }) => !reported.has(parameter)));
  }
  return checked.data;
}

/** The cells of a row with errors: converted where possible, otherwise as they were sent, so that a user can mend them. */
export function readCells(cells: Record<string, unknown>, shape: Record<string, z.ZodType>, clock: Clock = NO_CLOCK) {
  const members = Object.entries(cells).flatMap(([name, cell]) => {
    const schema = shape[name];
    if (!schema || cell === undefined) return [];
    const offences: Offence[] = [];
    const read = readerOf(schema)(cell, name, false, { clock, offences });
    return [[name, offences.length === 0 ? read : cell] as const];
  });
  return Object.fromEntries(members);
}

/** Name of a column that is ignored. */
export const SKIPPED = "undefined";
const LINE = /[^\r\n]+/g;
/** For rows with dates but no times: no time zone is needed. */
export const NO_CLOCK = clockOf({}, "UTC", false);
