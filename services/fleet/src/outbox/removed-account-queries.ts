import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { accountRemoval } from "../table/account-removal.ts";

/** The accounts whose removal files has not heard of yet. */
export async function selectRemovals(db: Database, most: number) {
  const rows = await db.select().from(accountRemoval).limit(most);
  return rows.map(({ account_id }) => account_id);
}

export async function deleteRemovals(db: Database, ids: number[]) {
  await db.delete(accountRemoval).where(among(accountRemoval.account_id, ids));
}
