import type { z } from "zod";
import { checkCells } from "#shared/batch/cells.ts";
import { tagNamesOfCell } from "#shared/batch/tags.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import type { Offence } from "#shared/error/api-error.ts";
import type { FleetEnv } from "../env.ts";
import type { Importer, ImportRow } from "../table/import/import-process.ts";
import { NewTag } from "../tag/schema.ts";

/** A line as it is to be stored: the row of its table, the names of its tags, and what is to be said of it. */
export type ParsedLine = {
  /** Undefined where there are errors. */
  row: Record<string, unknown> | undefined;
  tags: string[];
  errors: Offence[];
  warnings: Offence[];
};

/** A line of the sheet by its number, counted from one, and its text. */
export type SheetLine = { line: number; text: string; parsed: ParsedLine };

/** What its columns are, and on whose behalf it is imported. */
export type ImportSheet = Pick<ImportRow, "importer" | "headers">;
/** Reads lines, each by its cells. */
export type LineParser = (call: ImportContext, sheet: ImportSheet, rows: string[][]) => Promise<ParsedLine[]>;
export type ImportContext = { db: Database; env: FleetEnv };

/** What is said of a label or a tag does not keep a row out; what is said of its own cells does. */
export function parseLine<Input extends z.ZodType>(
  schema: Input,
  cells: Record<string, unknown>,
  {
    tags,
    tracker_id,
    warnings,
    errors,
  }: { tags?: string; tracker_id: number | null } & Pick<ParsedLine, "errors" | "warnings">,
  toRow: (input: z.output<Input>) => Record<string, unknown>,
): ParsedLine {
  const names = [...new Set(tagNamesOfCell(tags ?? ""))];
  for (const name of names) {
    if (!NewTag.shape.name.safeParse(name).success) errors.push({ parameter: "tags", error: `${name} is too long` });
  }
  const checked = checkCells(schema, cells, errors);
  const row = checked === undefined || errors.length > 0 ? undefined : { ...toRow(checked), tracker_id };
  return { row, tags: names, errors, warnings };
}

/** As those who see what the importer sees. */
export function principalOf(importer: Importer): Principal {
  // Look-ups by name ask for nothing but the account and what is visible.
  return importer as Principal;
}
