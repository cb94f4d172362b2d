import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import type { RemovedTag } from "#shared/database/tag-binding/table.ts";
import type { FleetEnv } from "../env.ts";
import { dropTags, markRemoving, selectRemoving } from "./removal-queries.ts";

/**
 * Those of the ids that there were. A tag goes last, when nothing carries it any more: so nobody sees one that is not
 * there. Whoever cannot be told throws, and a repeat or the sweep ends what began.
 */
export async function removeTags(env: FleetEnv, db: Database, principal: Principal, ids: number[], actor: Actor) {
  const marked = await markRemoving(db, principal, ids, actor);
  await finish(env, db, marked);
  return marked;
}

/** Ends the removals that stopped half-way. */
export async function sweepRemovals(env: FleetEnv) {
  const db = openDatabase(env);
  await finish(env, db, await selectRemoving(db, SWEPT));
}

async function finish(env: FleetEnv, db: Database, tags: RemovedTag[]) {
  if (tags.length === 0) return;
  await Promise.all([env.GEO, env.TASKS].map((carrier) => carrier.forgetTags(tags)));
  await dropTags(db, tags);
}

const SWEPT = 500;
