import { openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import {
  deleteAccountRemovals,
  deleteArchivedTrackers,
  selectAccountRemovals,
  selectArchivedTrackers,
} from "./removed-account-queries.ts";

/**
 * Erases what is left of removed accounts, in fleet and in the services that have data of them. Runs after all other
 * outboxes, so that no delivery can restore erased data.
 */
export async function deliverRemovedAccounts(env: FleetEnv) {
  const db = openDatabase(env);
  const ids = await selectAccountRemovals(db, MAX_ACCOUNTS_PER_SWEEP);
  if (ids.length === 0) return;
  await Promise.all([env.FILES.removeAccounts(ids), env.TASKS.removeAccounts(ids), env.REPORTS.removeAccounts(ids)]);
  for (let batch = 0; batch < MAX_BATCHES_PER_SWEEP; batch++) {
    const trackers = await selectArchivedTrackers(db, ids, MAX_TRACKERS_PER_BATCH);
    for (const [account_id, own] of Map.groupBy(trackers, (one) => one.account_id)) {
      // A clone has no feed of its own.
      const originals = own.filter(({ clone }) => !clone).map(({ id }) => id);
      if (originals.length > 0) await env.GEO.eraseTrackers(account_id, originals);
    }
    await deleteArchivedTrackers(db, trackers);
    if (trackers.length < MAX_TRACKERS_PER_BATCH) return deleteAccountRemovals(db, ids);
  }
}

const MAX_ACCOUNTS_PER_SWEEP = 500;
/** Each tracker is one call to its feed. */
const MAX_TRACKERS_PER_BATCH = 50;
/** Further trackers wait for the next sweep. */
const MAX_BATCHES_PER_SWEEP = 20;
