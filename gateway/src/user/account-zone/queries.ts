import { eq, max, sql } from "drizzle-orm";
import type { AccountZone } from "#shared/contract/tasks.ts";
import type { Database } from "#shared/database/open.ts";
import { user } from "../../table/user.ts";
import { zoneChange } from "../../table/zone-change.ts";

/** For the write that changes a user's time zone: puts the account into the outbox if the user is a master. */
export function insertZoneChange(db: Database, user_id: number) {
  return db
    .insert(zoneChange)
    .select(sql`SELECT NULL, ${user.id} FROM ${user} WHERE ${user.id} = ${user_id} AND ${user.master_id} IS NULL`);
}

/** Accounts whose time zone changed, with their present zone; null if the account was removed. */
export async function selectZoneChanges(db: Database, limit: number) {
  const rows = await db
    .select({ account_id: zoneChange.account_id, time_zone: user.time_zone, revision: max(zoneChange.id) })
    .from(zoneChange)
    .leftJoin(user, eq(user.id, zoneChange.account_id))
    .groupBy(zoneChange.account_id)
    .limit(limit);
  return rows.map(({ revision, ...row }) => ({ ...row, revision: revision ?? 0 }));
}

/** Deletes delivered changes and older ones of their accounts. */
export async function deleteZoneChanges(db: Database, rows: Pick<AccountZone, "account_id" | "revision">[]) {
  const delivered = sql`json_each(${JSON.stringify(rows)}) AS delivered`;
  await db.delete(zoneChange).where(
    sql`EXISTS (SELECT 1 FROM ${delivered} WHERE delivered.value ->> 'account_id' = ${zoneChange.account_id}
      AND delivered.value ->> 'revision' >= ${zoneChange.id})`,
  );
}
