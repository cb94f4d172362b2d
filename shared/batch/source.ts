import { z } from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import type { SheetStore } from "#shared/contract/files.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { rowsOf } from "./cells.ts";

/** What every conversion takes: a text, or the name of a parsed sheet, which goes before it. */
export const SOURCE = {
  batch: z.string().optional(),
  file_id: z.string().optional(),
  geocoder: z.string().optional(),
};
type BatchSource = { batch?: string; file_id?: string };

/** What it asks of its Worker. */
export type BatchEnv = {
  FILES: Pick<SheetStore, "readSheet">;
  /** How many rows a batch conversion reads. */
  BATCH_ROWS: string;
};

/** The rows to convert, by their columns. */
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
