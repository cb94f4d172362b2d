import { sql } from "drizzle-orm";
import type { TrackerClone } from "#shared/contract/tasks.ts";
import { selectOutboxByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { untoldClone } from "../table/untold-clone.ts";

/** Accounts in turn. */
export function selectUntoldClones(db: Database, most: number): Promise<TrackerClone[]> {
  return db
    .select()
    .from(untoldClone)
    .where(sql`${untoldClone.tracker_id} IN (${selectOutboxByAccount(untoldClone, most)})`)
    .all();
}

export async function deleteUntoldClones(db: Database, clones: TrackerClone[]) {
  const ids = clones.map(({ tracker_id }) => tracker_id);
  await db.delete(untoldClone).where(among(untoldClone.tracker_id, ids));
}
