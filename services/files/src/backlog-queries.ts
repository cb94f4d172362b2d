import { sql } from "drizzle-orm";
import type { Queues } from "#shared/database/backlog.ts";
import { file } from "./table/file.ts";

/** The queues in the files service's database, for the metrics of waiting rows. */
export const QUEUES: Queues = {
  uploads_to_deliver: { table: file, waits: sql`${file.undelivered_since} IS NOT NULL` },
  uploads_to_clean_up: { table: file, waits: sql`${file.cleanup_due} IS NOT NULL` },
  previews: { table: file, waits: sql`${file.previews_due} IS NOT NULL` },
};
