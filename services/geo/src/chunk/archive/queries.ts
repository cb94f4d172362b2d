import { and, asc, eq, gte, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { archiveLeftover } from "../../table/chunk/archive-leftover.ts";
import { archiveRound } from "../../table/chunk/archive-round.ts";
import { chunk } from "../../table/chunk/chunk.ts";
import { belongsTo, type FeedReference, PAGE_FILL_BYTES } from "../queries.ts";

/** What is still in the database of the chunks that end within [from, before), in time order, as far as one object takes it. */
export function selectUnarchived(db: Database, owner: FeedReference, from: number, before: number) {
  const inOrder = sql`ORDER BY ${chunk.to}, ${chunk.id}`;
  const sizes = db
    .select({
      id: sql<number>`${chunk.id}`.as("sized_id"),
      before: sql<number>`sum(${chunk.bytes}) OVER (${inOrder}) - ${chunk.bytes}`.as("before"),
    })
    .from(chunk)
    .where(and(ownedBy(owner), isNull(chunk.object), gte(chunk.to, from), lt(chunk.to, before)))
    .orderBy(asc(chunk.to), asc(chunk.id))
    .limit(MAX_CHUNKS)
    .as("sizes");
  return db
    .select({ id: chunk.id, data: chunk.data })
    .from(sizes)
    .innerJoin(chunk, eq(chunk.id, sizes.id))
    .where(lt(sizes.before, PAGE_FILL_BYTES))
    .orderBy(asc(chunk.to), asc(chunk.id));
}

/**
 * The points of these chunks are in the object from now on. Not what a feed has replaced meanwhile, not what is in another
 * object, and nothing after the database's clock has reached `until`, in seconds. Answers how many there were.
 */
export async function pointToObject(
  db: Database,
  owner: FeedReference,
  { object, places, until }: { object: number; places: [id: number, offset: number][]; until: number },
): Promise<number> {
  const moved = await db.all(sql`UPDATE ${chunk} SET data = x'', object = ${object}, object_offset = place.value ->> 1
    FROM json_each(${JSON.stringify(places)}) AS place
    WHERE ${chunk.id} = place.value ->> 0 AND ${belongsTo(owner)} AND +${chunk.object} IS NULL AND unixepoch() < ${until}
    RETURNING ${chunk.id}`);
  return moved.length;
}

export type ArchiveObject = FeedReference & { object: number; key: string };

/** The keys of those that no chunk is in. */
export async function selectUnused(db: Database, objects: ArchiveObject[]): Promise<string[]> {
  const member = (name: keyof ArchiveObject) => sql`listed.value ->> ${name}`;
  const rows = await db.all<{ key: string }>(sql`SELECT ${member("key")} AS key
    FROM json_each(${JSON.stringify(objects)}) AS listed WHERE NOT EXISTS (SELECT 1 FROM ${chunk}
      WHERE ${chunk.object} = ${member("object")} AND ${chunk.account_id} = ${member("account_id")}
        AND ${chunk.tracker_id} = ${member("tracker_id")})`);
  return rows.map(({ key }) => key);
}

/** The key behind which the search for objects without a chunk goes on. */
export async function selectRound(db: Database): Promise<string> {
  const row = await db.select().from(archiveRound).get();
  return row?.last_key ?? "";
}

/** When those of the objects were found that are noted as having no chunk, by their keys. */
export async function selectLeftovers(db: Database, keys: string[]): Promise<Map<string, number>> {
  const rows = await db.select().from(archiveLeftover).where(amongKeys(keys));
  return new Map(rows.map(({ key, found }) => [key, found]));
}

type Round = { from: string; to: string; found: { key: string; found: number }[]; over: string[] };

/** How far the search has come, what it has found, and what is gone or used after all. */
export async function storeRound(db: Database, { from, to, found, over }: Round) {
  if (from === to && found.length + over.length === 0) return;
  const notes = sql`SELECT value ->> 'key', value ->> 'found' FROM json_each(${JSON.stringify(found)}) WHERE TRUE`;
  await write(db, {
    found: db.insert(archiveLeftover).select(notes).onConflictDoNothing(),
    over: db.delete(archiveLeftover).where(amongKeys(over)),
    round: db
      .insert(archiveRound)
      .values({ id: 1, last_key: to })
      .onConflictDoUpdate({ target: archiveRound.id, set: { last_key: to } }),
  });
}

/** Of a tracker whose part of the archive is empty. */
export async function forgetLeftovers(db: Database, folder: string) {
  await db.delete(archiveLeftover).where(sql`substr(${archiveLeftover.key}, 1, ${folder.length}) = ${folder}`);
}

function amongKeys(keys: string[]) {
  return sql`${archiveLeftover.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
}

function ownedBy({ account_id, tracker_id }: FeedReference) {
  return and(eq(chunk.account_id, account_id), eq(chunk.tracker_id, tracker_id));
}

/** However small they are. */
const MAX_CHUNKS = 1000;
