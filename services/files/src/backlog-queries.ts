import { sql } from "drizzle-orm";
import type { Queues } from "#shared/database/backlog.ts";
import { file } from "./table/file.ts";

/** What waits in the database of files. */
export const QUEUES: Queues = {
  uploads_to_tell: { table: file, waits: sql`${file.untold_since} IS NOT NULL` },
  uploads_to_look_at: { table: file, waits: sql`${file.look_at} IS NOT NULL` },
  previews: { table: file, waits: sql`${file.previews_due} IS NOT NULL` },
};
