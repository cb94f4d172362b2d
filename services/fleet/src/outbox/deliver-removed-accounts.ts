import { openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import { deleteArchived, deleteRemovals, selectArchived, selectRemovals } from "./removed-account-queries.ts";

/**
 * Has all be erased that is left of accounts that are no more, here and wherever fleet has told of them: when everything
 * else has been told, so that nothing comes after it.
 */
export async function deliverRemovedAccounts(env: FleetEnv) {
  const db = openDatabase(env);
  const ids = await selectRemovals(db, DELIVERED);
  if (ids.length === 0) return;
  await Promise.all([env.FILES.removeAccounts(ids), env.TASKS.removeAccounts(ids), env.REPORTS.removeAccounts(ids)]);
  for (let part = 0; part < MOST_PARTS; part++) {
    const trackers = await selectArchived(db, ids, ERASED);
    for (const [account_id, own] of Map.groupBy(trackers, (one) => one.account_id)) {
      // A clone has no feed of its own.
      const originals = own.filter(({ clone }) => !clone).map(({ id }) => id);
      if (originals.length > 0) await env.GEO.eraseTrackers(account_id, originals);
    }
    await deleteArchived(db, trackers);
    if (trackers.length < ERASED) return deleteRemovals(db, ids);
  }
}

const DELIVERED = 500;
/** Each is a call to its feed. */
const ERASED = 50;
/** In one sweep; the rest has its turn in the next. */
const MOST_PARTS = 20;
