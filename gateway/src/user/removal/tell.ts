import { openDatabase } from "#shared/database/open.ts";
import type { GatewayEnv } from "../../env.ts";
import { deleteRemovals, eraseSome, selectRemovals } from "./queries.ts";

/**
 * Geo forgets what it has of users that are no more, tasks what it has of accounts; nobody can ask for it any longer, so
 * it need not be at once. What is left of accounts here goes part by part.
 */
export async function tellRemovals(env: GatewayEnv) {
  const db = openDatabase(env);
  const rows = await selectRemovals(db, MOST);
  if (rows.length === 0) return;
  const accounts = rows.flatMap(({ id, account_id }) => (id === account_id ? id : []));
  await Promise.all([env.GEO.forgetUsers(rows), env.TASKS.removeAccounts(accounts)]);
  for (let part = 0; !(await eraseSome(db, accounts)); part++) if (part === MOST_PARTS) return;
  await deleteRemovals(
    db,
    rows.map(({ id }) => id),
  );
}

/** In one sweep. */
const MOST = 100;
const MOST_PARTS = 20;
