import { and, asc, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import type { RemovedTag } from "#shared/database/tag-binding/table.ts";
import type { FleetEnv } from "../env.ts";
import { recordingEach } from "../outbox/audit.ts";
import { tag } from "../table/tag.ts";
import { tagBinding } from "../table/tag-binding.ts";

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
  const stopped = await db
    .select({ tag_id: tag.id, account_id: tag.account_id })
    .from(tag)
    .where(sql`${tag.removing}`)
    .orderBy(asc(tag.id))
    .limit(SWEPT);
  await finish(env, db, stopped);
}

/** From here on nothing new can carry them. */
async function markRemoving(db: Database, principal: Principal, ids: number[], actor: Actor): Promise<RemovedTag[]> {
  const wanted = visibleTo(principal, tag, among(tag.id, ids));
  const things = sql`SELECT ${tag.id} AS id, json_object('name', ${tag.name}) AS payload FROM ${tag}
    WHERE ${and(wanted, eq(tag.removing, false))}`;
  const [, marked] = await db.batch([
    recordingEach(db, actor, { is: ["tag", "delete"] }, things),
    db.update(tag).set({ removing: true }).where(wanted).returning({ tag_id: tag.id, account_id: tag.account_id }),
  ]);
  return marked;
}

async function finish(env: FleetEnv, db: Database, tags: RemovedTag[]) {
  if (tags.length === 0) return;
  await Promise.all([env.GEO, env.TASKS].map((carrier) => carrier.forgetTags(tags)));
  const ids = JSON.stringify(tags);
  const gone = sql`SELECT value ->> 'account_id', value ->> 'tag_id' FROM json_each(${ids})`;
  await db.batch([
    db.delete(tagBinding).where(sql`(${tagBinding.account_id}, ${tagBinding.tag_id}) IN (${gone})`),
    db.delete(tag).where(sql`(${tag.account_id}, ${tag.id}) IN (${gone})`),
  ]);
}

const SWEPT = 500;
