import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import type { RemovedTag } from "#shared/database/tag-binding/table.ts";
import { nowMs } from "#shared/time/clock.ts";
import { MAX_CALL_MS } from "#shared/time/duration.ts";
import type { FleetEnv } from "../env.ts";
import { deleteTags, markTagsRemoving, selectRemovingTags } from "./removal-queries.ts";

/**
 * Deletes tags; answers those whose rows this call deleted, so that one of several concurrent calls succeeds. A row is
 * deleted last, after its bindings in all services, so that no user sees a tag that is missing. When a service fails,
 * the call fails, and a repetition or the sweep completes the removal.
 */
export async function removeTags(env: FleetEnv, db: Database, principal: Principal, ids: number[], actor: Actor) {
  return finishRemovals(env, db, await markTagsRemoving(db, principal, ids, { actor, now: nowMs(env) }));
}

/** Completes removals that failed half-way, but not those of calls that may still run: such a call would answer 201. */
export async function sweepTagRemovals(env: FleetEnv) {
  const db = openDatabase(env);
  await finishRemovals(env, db, await selectRemovingTags(db, nowMs(env) - MAX_CALL_MS, MAX_TAGS_PER_SWEEP));
}

async function finishRemovals(env: FleetEnv, db: Database, tags: RemovedTag[]) {
  if (tags.length === 0) return [];
  await Promise.all([env.GEO, env.TASKS].map((carrier) => carrier.deleteTagBindings(tags)));
  return deleteTags(db, tags);
}

const MAX_TAGS_PER_SWEEP = 500;
