import { asc, sql } from "drizzle-orm";
import { selectOutboxByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { activity } from "../table/outbox/activity.ts";

export type ActivityRow = typeof activity.$inferSelect;

/** Activities that are not delivered yet, oldest first; accounts alternate. */
export function selectActivities(db: Database, limit: number): Promise<ActivityRow[]> {
  return db
    .select()
    .from(activity)
    .where(sql`rowid IN (${selectOutboxByAccount(activity, limit)})`)
    .orderBy(asc(sql`rowid`))
    .all();
}

export async function removeActivities(db: Database, rows: ActivityRow[]) {
  const ids = rows.map(({ activity_id }) => activity_id);
  await db.delete(activity).where(among(activity.activity_id, ids));
}
