import { openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { FleetEnv } from "../env.ts";
import { eventAge } from "../history/age.ts";
import { deleteEvents, eraseRemoved, selectRemovedBefore } from "./queries.ts";

/** Old events go, which nobody sees any more. */
export async function sweepEvents(env: FleetEnv) {
  const { since } = eventAge(env, nowMs(env));
  if (since !== null) await deleteEvents(openDatabase(env), since, DELETED);
}

/** What is left of trackers that were removed long ago: first geo, whose feeds may have more to tell. */
export async function sweepRemovedTrackers(env: FleetEnv) {
  const { removedBefore } = eventAge(env, nowMs(env));
  if (removedBefore === null) return;
  const db = openDatabase(env);
  const trackers = await selectRemovedBefore(db, removedBefore, ERASED);
  if (trackers.length === 0) return;
  for (const [account_id, own] of Map.groupBy(trackers, (one) => one.account_id)) {
    // A clone has no feed of its own.
    const originals = own.filter(({ clone }) => !clone).map(({ id }) => id);
    if (originals.length > 0) await env.GEO.eraseTrackers(account_id, originals);
  }
  const ids = trackers.map(({ id }) => id);
  await eraseRemoved(db, ids, DELETED);
}

/** In one statement. */
const DELETED = 1000;
/** In one sweep; each is a call to its feed. */
const ERASED = 10;
