import { asc } from "drizzle-orm";
import { openDatabase } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import type { GatewayEnv } from "../../env.ts";
import { userRemoval } from "../../table/user-removal.ts";

/**
 * Geo forgets what it has of users that are no more, tasks what it has of accounts; nobody can ask for it any longer, so
 * it need not be at once.
 */
export async function tellRemovals(env: GatewayEnv) {
  const db = openDatabase(env);
  const rows = await db.select().from(userRemoval).orderBy(asc(userRemoval.id)).limit(TOLD);
  if (rows.length === 0) return;
  const accounts = rows.flatMap(({ id, account_id }) => (id === account_id ? id : []));
  await Promise.all([env.GEO.forgetUsers(rows), env.TASKS.removeAccounts(accounts)]);
  const ids = rows.map(({ id }) => id);
  await db.delete(userRemoval).where(among(userRemoval.id, ids));
}

const TOLD = 100;
