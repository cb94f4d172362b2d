import { openDatabase } from "#shared/database/open.ts";
import type { GatewayEnv } from "../../env.ts";
import { deleteRemovals, selectRemovals } from "./queries.ts";

/**
 * Geo forgets what it has of users that are no more, tasks what it has of accounts; nobody can ask for it any longer, so
 * it need not be at once.
 */
export async function tellRemovals(env: GatewayEnv) {
  const db = openDatabase(env);
  const rows = await selectRemovals(db, MOST);
  if (rows.length === 0) return;
  const accounts = rows.flatMap(({ id, account_id }) => (id === account_id ? id : []));
  await Promise.all([env.GEO.forgetUsers(rows), env.TASKS.removeAccounts(accounts)]);
  await deleteRemovals(
    db,
    rows.map(({ id }) => id),
  );
}

/** In one sweep. */
const MOST = 100;
