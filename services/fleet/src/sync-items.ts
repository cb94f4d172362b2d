import { actorOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { SyncItem, SyncRequest } from "#shared/contract/sync.ts";
import { openDatabase } from "#shared/database/open.ts";
import { type ItemRule, runItems } from "#shared/sync/run-items.ts";
import { clockOf, nowMs } from "#shared/time/clock.ts";
import type { FleetEnv } from "./env.ts";
import { deliverOutboxesLater } from "./outbox/deliver-later.ts";
import { deleteOldItems, selectDone } from "./sync-item-queries.ts";

type SyncBatch = { principal: Principal; request: SyncRequest; items: SyncItem[] };

/** Executes the items of a `/sync/push` that call operations of fleet; answers JSON. */
export async function runSyncItems(
  env: FleetEnv,
  rules: Map<string, ItemRule<FleetEnv>>,
  { principal, request: base, items }: SyncBatch,
): Promise<string> {
  const request = { ...base, typed: {}, textual: {} };
  const call = {
    ...{ db: openDatabase(env), env, principal, request },
    clock: clockOf(env, principal.time_zone, request.iso),
    actor: actorOf(principal, request, nowMs(env)),
  };
  const answers = await runItems(items, rules, { selectDone }, call);
  deliverOutboxesLater(env);
  return JSON.stringify(answers);
}

/** Deletes the answers of items that are too old to be repeated. */
export function sweepSyncItems(env: FleetEnv): Promise<void> {
  return deleteOldItems(openDatabase(env), nowMs(env));
}
