import type * as z from "zod";
import { checkCells } from "#shared/batch/cells.ts";
import { tagNamesOfCell } from "#shared/batch/tags.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import type { Offence } from "#shared/error/api-error.ts";
import type { FleetEnv } from "../env.ts";
import type { Importer, ImportRow } from "../table/import/import-process.ts";
import { NewTag } from "../tag/schema.ts";

/** A line ready to be stored: its row, the names of its tags, and the errors and warnings about it. */
export type ParsedLine = {
  /** Undefined when the line has errors. */
  row: Record<string, unknown> | undefined;
  tags: string[];
  errors: Offence[];
  warnings: Offence[];
};

/** A line of the sheet with its number, counted from one. */
export type SheetLine = { line: number; text: string; parsed: ParsedLine };

/** The columns of the sheet, and the user on whose behalf it is imported. */
export type ImportSheet = Pick<ImportRow, "importer" | "headers">;
/** Parses lines, each given as its cells. */
export type LineParser = (call: ImportContext, sheet: ImportSheet, rows: string[][]) => Promise<ParsedLine[]>;
export type ImportContext = { db: Database; env: FleetEnv };

/** Checks a line's cells with the schema. An error in a cell refuses the line; an unknown tracker or tag only warns. */
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

/** The importer as a principal with its account and scope, for queries that run long after the call. */
export function principalOf(importer: Importer): Principal {
  // The queries that it is used for read nothing but the account and the scope.
  return importer as Principal;
}
