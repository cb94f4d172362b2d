import * as z from "zod";
import { dateTime } from "../operation/fields.ts";

export const IMPORTED = ["employee", "vehicle"] as const;
/** A kind of thing that can be imported. */
export type Imported = (typeof IMPORTED)[number];

/** `finished` imports were dismissed by their user: lists leave them out. */
export const IMPORT_STATUSES = ["created", "in_progress", "done", "failed", "finished"] as const;

const Remark = z.object({ line: z.int(), error: z.string() });

/** An import without its type, which two families of calls write differently. */
export const ImportProcess = z.object({
  id: z.int(),
  user_id: z.int(),
  created: dateTime(),
  params: z.object({ headers: z.array(z.string()), user_headers: z.array(z.string()).optional() }),
  /** The name of the uploaded spreadsheet. */
  filename: z.string(),
  status: z.enum(IMPORT_STATUSES),
  status_change_date: dateTime(),
  progress: z.object({
    imported: z.int(),
    failed: z.int(),
    percent: z.int(),
    processed_lines: z.int(),
    /** The first 25 warnings. */
    warnings: z.array(Remark),
    errors: z.array(Remark),
  }),
});
export type ImportProcess = z.output<typeof ImportProcess>;
export type TypedImport = ImportProcess & { type: Imported };
