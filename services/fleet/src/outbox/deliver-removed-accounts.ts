import { openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import { deleteRemovals, selectRemovals } from "./removed-account-queries.ts";

/** Tells files of accounts that are no more. */
export async function deliverRemovedAccounts(env: FleetEnv) {
  const db = openDatabase(env);
  const ids = await selectRemovals(db, DELIVERED);
  if (ids.length === 0) return;
  await env.FILES.removeAccounts(ids);
  await deleteRemovals(db, ids);
}

const DELIVERED = 500;
