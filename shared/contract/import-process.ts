import { z } from "zod";
import { dateTime } from "../operation/fields.ts";

export const IMPORTED = ["employee", "vehicle"] as const;
/** What is imported. */
export type Imported = (typeof IMPORTED)[number];

/** The last is for those that their user has put away: lists leave them out. */
export const IMPORT_STATUSES = ["created", "in_progress", "done", "failed", "finished"] as const;

const Remark = z.object({ line: z.int(), error: z.string() });

/** An import but for its type, which two families of calls write in two ways. */
export const ImportProcess = z.object({
  id: z.int(),
  user_id: z.int(),
  created: dateTime(),
  params: z.object({ headers: z.array(z.string()), user_headers: z.array(z.string()).optional() }),
  /** The name under which the spreadsheet was kept. */
  filename: z.string(),
  status: z.enum(IMPORT_STATUSES),
  status_change_date: dateTime(),
  progress: z.object({
    imported: z.int(),
    failed: z.int(),
    percent: z.int(),
    processed_lines: z.int(),
    /** The first 25. */
    warnings: z.array(Remark),
    errors: z.array(Remark),
  }),
});
export type ImportProcess = z.output<typeof ImportProcess>;
export type TypedImport = ImportProcess & { type: Imported };
