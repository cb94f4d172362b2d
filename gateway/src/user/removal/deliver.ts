import { openDatabase } from "#shared/database/open.ts";
import type { GatewayEnv } from "../../env.ts";
import { deleteRemovals, eraseBatch, selectRemovals } from "./queries.ts";

/**
 * Geo forgets what it has of users that are no more, tasks what it has of accounts; nobody can ask for it any longer, so
 * it need not be at once. What is left of accounts here goes part by part.
 */
export async function deliverRemovals(env: GatewayEnv) {
  const db = openDatabase(env);
  const rows = await selectRemovals(db, MAX_USERS_PER_SWEEP);
  if (rows.length === 0) return;
  const accounts = rows.flatMap(({ id, account_id }) => (id === account_id ? id : []));
  await Promise.all([env.GEO.forgetUsers(rows), env.TASKS.removeAccounts(accounts)]);
  for (let erasures = 0; !(await eraseBatch(db, accounts)); erasures++) if (erasures === MAX_ERASURES_PER_SWEEP) return;
  await deleteRemovals(
    db,
    rows.map(({ id }) => id),
  );
}

/** In one sweep. */
const MAX_USERS_PER_SWEEP = 100;
const MAX_ERASURES_PER_SWEEP = 20;
