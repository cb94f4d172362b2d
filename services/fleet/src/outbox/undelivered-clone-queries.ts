import { sql } from "drizzle-orm";
import type { TrackerClone } from "#shared/contract/tasks.ts";
import { selectOutboxByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { undeliveredClone } from "../table/outbox/undelivered-clone.ts";

/** New clones that the tasks service does not know of yet; accounts alternate. */
export function selectUndeliveredClones(db: Database, limit: number): Promise<TrackerClone[]> {
  return db
    .select()
    .from(undeliveredClone)
    .where(sql`${undeliveredClone.tracker_id} IN (${selectOutboxByAccount(undeliveredClone, limit)})`)
    .all();
}

export async function deleteUndeliveredClones(db: Database, clones: TrackerClone[]) {
  const ids = clones.map(({ tracker_id }) => tracker_id);
  await db.delete(undeliveredClone).where(among(undeliveredClone.tracker_id, ids));
}
