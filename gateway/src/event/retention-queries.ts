import { sql } from "drizzle-orm";
import { deleteDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { event } from "../table/event.ts";

/** Deletes events that are older than 30 days, alternating between accounts; at most `MAX_ROWS_PER_SWEEP` at once. */
export async function deleteOldEvents(db: Database, now: number) {
  const isDue = sql`stored < ${now - RETENTION_MS}`;
  // In the order of `stored`, which is that of the sequence: what remains has no gaps.
  await deleteDueByAccount(db, { table: event, isWaiting: sql`TRUE`, isDue, order: sql`stored` }, MAX_ROWS_PER_SWEEP);
}

const RETENTION_MS = 30 * DAY_MS;
const MAX_ROWS_PER_SWEEP = 5000;
