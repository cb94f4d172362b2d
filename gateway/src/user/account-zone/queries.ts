import { eq, max, sql } from "drizzle-orm";
import type { AccountZone } from "#shared/contract/tasks.ts";
import type { Database } from "#shared/database/open.ts";
import { user } from "../../table/user.ts";
import { zoneChange } from "../../table/zone-change.ts";

/** For the transaction that sets the zone of a user: where that is a master, its account's days begin anew. */
export function insertZoneChange(db: Database, user_id: number) {
  return db
    .insert(zoneChange)
    .select(sql`SELECT NULL, ${user.id} FROM ${user} WHERE ${user.id} = ${user_id} AND ${user.master_id} IS NULL`);
}

/** The zones that accounts have now; of one that is removed there is none. */
export async function selectZoneChanges(db: Database, limit: number) {
  const rows = await db
    .select({ account_id: zoneChange.account_id, time_zone: user.time_zone, revision: max(zoneChange.id) })
    .from(zoneChange)
    .leftJoin(user, eq(user.id, zoneChange.account_id))
    .groupBy(zoneChange.account_id)
    .limit(limit);
  return rows.map(({ revision, ...row }) => ({ ...row, revision: revision ?? 0 }));
}

/** Those that were told, and what was before them. */
export async function deleteZoneChanges(db: Database, rows: Pick<AccountZone, "account_id" | "revision">[]) {
  const told = sql`json_each(${JSON.stringify(rows)}) AS told`;
  await db.delete(zoneChange).where(
    sql`EXISTS (SELECT 1 FROM ${told} WHERE told.value ->> 'account_id' = ${zoneChange.account_id}
      AND told.value ->> 'revision' >= ${zoneChange.id})`,
  );
}
