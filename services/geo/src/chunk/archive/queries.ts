import { and, asc, eq, gt, gte, isNull, lt, lte, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { selectObjects } from "#shared/database/rows.ts";
import { write } from "#shared/database/steps.ts";
import { archiveLeftover } from "../../table/chunk/archive-leftover.ts";
import { chunk } from "../../table/chunk/chunk.ts";
import { leftoverSearch } from "../../table/chunk/leftover-search.ts";
import { belongsTo, type FeedReference, PAGE_FILL_BYTES } from "../queries.ts";

/** The oldest chunks that end within [from, before) and are not archived yet, as many as fit into one object. */
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
 * Points rows to their object in the archive; skips chunks that were replaced or archived meanwhile, and all of them
 * once the database's clock has reached `until` (seconds). Answers the number of updated rows.
 */
export async function pointToObject(
  db: Database,
  owner: FeedReference,
  { object, offsets, until }: { object: number; offsets: [id: number, offset: number][]; until: number },
): Promise<number> {
  const moved =
    await db.all(sql`UPDATE ${chunk} SET data = x'', object = ${object}, object_offset = location.value ->> 1
    FROM json_each(${JSON.stringify(offsets)}) AS location
    WHERE ${chunk.id} = location.value ->> 0 AND ${belongsTo(owner)} AND +${chunk.object} IS NULL AND unixepoch() < ${until}
    RETURNING ${chunk.id}`);
  return moved.length;
}

export type ArchiveObject = FeedReference & { object: number; key: string };

/** Keys of objects that no chunk uses. */
export async function selectUnused(db: Database, objects: ArchiveObject[]): Promise<string[]> {
  const member = (name: keyof ArchiveObject) => sql`listed.value ->> ${name}`;
  const rows = await selectObjects<{ key: string }>(
    db,
    sql`SELECT ${member("key")} AS key
    FROM json_each(${JSON.stringify(objects)}) AS listed WHERE NOT EXISTS (SELECT 1 FROM ${chunk}
      WHERE ${chunk.object} = ${member("object")} AND ${chunk.account_id} = ${member("account_id")}
        AND ${chunk.tracker_id} = ${member("tracker_id")})`,
  );
  return rows.map(({ key }) => key);
}

/** The key after which the search for unused objects continues. */
export async function selectRound(db: Database): Promise<string> {
  const row = await db.select().from(leftoverSearch).get();
  return row?.last_key ?? "";
}

/**
 * When each unused object with a key after `from` and up to `to` (empty: to the last key) was first found, by key. Notes
 * of objects that are gone meanwhile are among them.
 */
export async function selectLeftovers(db: Database, from: string, to: string): Promise<Map<string, number>> {
  const { key } = archiveLeftover;
  const inRange = and(gt(key, from), to === "" ? undefined : lte(key, to));
  const rows = await db.select().from(archiveLeftover).where(inRange).orderBy(asc(key)).limit(MAX_NOTES);
  return new Map(rows.map((row) => [row.key, row.found]));
}

type Round = { from: string; to: string; found: { key: string; found: number }[]; removed: string[] };

/** Stores the progress of the search, newly found unused objects, and removes notes of objects that are gone or used. */
export async function storeRound(db: Database, { from, to, found, removed }: Round) {
  if (from === to && found.length + removed.length === 0) return;
  const notes = sql`SELECT value ->> 'key', value ->> 'found' FROM json_each(${JSON.stringify(found)}) WHERE TRUE`;
  await write(db, {
    found: db.insert(archiveLeftover).select(notes).onConflictDoNothing(),
    removed: db
      .delete(archiveLeftover)
      .where(sql`${archiveLeftover.key} IN (SELECT value FROM json_each(${JSON.stringify(removed)}))`),
    round: db
      .insert(leftoverSearch)
      .values({ id: 1, last_key: to })
      .onConflictDoUpdate({ target: leftoverSearch.id, set: { last_key: to } }),
  });
}

/** Removes notes of a tracker whose archive was emptied. */
export async function forgetLeftovers(db: Database, folder: string) {
  await db.delete(archiveLeftover).where(sql`substr(${archiveLeftover.key}, 1, ${folder.length}) = ${folder}`);
}

function ownedBy({ account_id, tracker_id }: FeedReference) {
  return and(eq(chunk.account_id, account_id), eq(chunk.tracker_id, tracker_id));
}

const MAX_CHUNKS = 1000;
/** Twice what a page of the bucket can leave unused: next to them are few notes of objects that are gone. */
const MAX_NOTES = 2000;
