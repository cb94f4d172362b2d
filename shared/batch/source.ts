import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import type { SheetStore } from "#shared/contract/files.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { rowsOf } from "./cells.ts";

/** Input of every conversion: a text, or the id of a parsed sheet, which takes precedence. */
export const SOURCE = {
  batch: z.string().optional(),
  file_id: z.string().optional(),
  geocoder: z.string().optional(),
};
type BatchSource = { batch?: string; file_id?: string };

/** Bindings and settings that a conversion needs. */
export type BatchEnv = {
  FILES: Pick<SheetStore, "readSheet">;
  /** Maximum number of rows that a conversion reads. */
  BATCH_ROWS: string;
};

/** The rows to convert, by the names of their columns. 7 without a source, 234 for an unknown sheet. */
export async function readRows<Field extends string>(
  source: BatchSource,
  fields: Field[],
  env: BatchEnv,
  principal: Principal,
) {
  return rowsOf(await textOf(source, env, principal), fields, Number(env.BATCH_ROWS));
}

async function textOf(
  { batch, file_id }: BatchSource,
  { FILES }: BatchEnv,
  { account_id }: Principal,
): Promise<string> {
  const text = file_id === undefined ? batch : await FILES.readSheet({ account_id, file_id });
  if (text === undefined) throw invalid("batch", "is required, or a file_id");
  if (text === null) throw new ApiError(234);
  return text;
}
