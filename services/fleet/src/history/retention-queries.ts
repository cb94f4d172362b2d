import { sql } from "drizzle-orm";
import { deleteDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { event } from "../table/event.ts";

/** Deletes events from before the moment, at most `limit`; accounts alternate. */
export async function deleteEvents(db: Database, before: number, limit: number) {
  const isDue = sql`time < ${before}`;
  await deleteDueByAccount(db, { table: event, isWaiting: sql`TRUE`, isDue, order: sql`time` }, limit);
}
