import { openDatabase } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import type { FleetEnv } from "../env.ts";
import { accountRemoval } from "../table/account-removal.ts";

/** Tells files of accounts that are no more. */
export async function deliverRemovedAccounts(env: FleetEnv) {
  const db = openDatabase(env);
  const rows = await db.select().from(accountRemoval).limit(DELIVERED);
  const ids = rows.map(({ account_id }) => account_id);
  if (ids.length === 0) return;
  await env.FILES.removeAccounts(ids);
  await db.delete(accountRemoval).where(among(accountRemoval.account_id, ids));
}

const DELIVERED = 500;
