import { openDatabase } from "#shared/database/open.ts";
import type { GatewayEnv } from "../../env.ts";
import { deleteRemovals, eraseBatch, selectRemovals } from "./queries.ts";

/**
 * Delivers removed users to the geo and tasks services, which delete their data, and deletes the rest of removed accounts
 * here in batches. A sweep is soon enough, since nobody can read the data any more.
 */
export async function deliverRemovals(env: GatewayEnv) {
  const db = openDatabase(env);
  const rows = await selectRemovals(db, MAX_USERS_PER_SWEEP);
  if (rows.length === 0) return;
  const accounts = rows.flatMap(({ id, account_id }) => (id === account_id ? id : []));
  await Promise.all([env.GEO.deleteUserRecords(rows), env.TASKS.removeAccounts(accounts)]);
  for (let erasures = 0; !(await eraseBatch(db, accounts)); erasures++) if (erasures === MAX_ERASURES_PER_SWEEP) return;
  await deleteRemovals(
    db,
    rows.map(({ id }) => id),
  );
}

const MAX_USERS_PER_SWEEP = 100;
const MAX_ERASURES_PER_SWEEP = 20;
