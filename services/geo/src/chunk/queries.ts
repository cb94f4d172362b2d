import { and, asc, eq, getTableColumns, gte, inArray, isNotNull, lt, lte, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { takenColumns } from "#shared/error/failure.ts";
import { type ChunkRow, chunk, type NewChunk } from "../table/chunk/chunk.ts";

/** The owner of points. Feeds store points without a principal; callers with a principal check the tracker first. */
export type FeedReference = { account_id: number; tracker_id: number };

/** A time range of one tracker's chunks. */
export type ChunkRange = FeedReference & { from: number; to: number };

/** Bytes of chunks in one answer: encoding adds a third, and the database limits answers to 5 MB. */
export const MAX_BYTES_PER_PAGE = 3_750_000;

/** Replaces chunks in one transaction; answers the new ids in the order of `rows`. */
export async function replaceChunks(
  db: Database,
  owner: FeedReference,
  flush: number,
  removed: number[],
  rows: NewChunk[],
) {
  const { inserted } = await write(db, {
    removed: db.delete(chunk).where(and(ownedBy(owner), among(removed))),
    inserted: db
      .insert(chunk)
      .values(rows.map((row, part) => ({ ...owner, ...row, flush, part })))
      .returning({ id: chunk.id, part: chunk.part }),
  });
  return inserted.sort((a, b) => a.part - b.part).map(({ id }) => id);
}

/** Deletes chunks; answers the objects of the archive that no chunk uses any more. */
export async function deleteChunks(db: Database, owner: FeedReference, ids: number[]): Promise<number[]> {
  const { unused } = await write(db, {
    unused: db
      .select({ object: sql<number>`${chunk.object}` })
      .from(chunk)
      .where(and(belongsTo(owner), inArray(chunk.object, objectsOf(db, owner, ids))))
      .groupBy(chunk.object)
      .having(sql`sum(NOT ${among(ids)}) = 0`),
    deleted: db.delete(chunk).where(and(ownedBy(owner), among(ids))),
  });
  return unused.map(({ object }) => object);
}

function objectsOf(db: Database, owner: FeedReference, ids: number[]) {
  const located = and(belongsTo(owner), among(ids), isNotNull(chunk.object));
  return db.select({ object: chunk.object }).from(chunk).where(located);
}

/** A chunk's points, or their location in the archive; only `read.ts` has to distinguish the two. */
const STORED_COLUMNS = {
  account_id: chunk.account_id,
  tracker_id: chunk.tracker_id,
  data: chunk.data,
  bytes: chunk.bytes,
  object: chunk.object,
  object_offset: chunk.object_offset,
};
export type StoredChunk = Pick<ChunkRow, keyof typeof STORED_COLUMNS>;

/** The caller keeps the sum of `bytes` within `MAX_BYTES_PER_PAGE`. */
export function selectChunkData(db: Database, owner: FeedReference, ids: number[]) {
  return db
    .select({ id: chunk.id, ...STORED_COLUMNS })
    .from(chunk)
    .where(and(ownedBy(owner), among(ids)));
}

/** All chunk headers of one tracker, without points, in time order. */
export function selectChunkHeaders(db: Database, owner: FeedReference) {
  const { data, account_id, tracker_id, object, object_offset, ...header } = getTableColumns(chunk);
  return db.select(header).from(chunk).where(ownedBy(owner)).orderBy(asc(chunk.to));
}

/**
 * Pages of chunks for the first ranges, in time order, up to `bytes` in total and at least one chunk. Only the last
 * page may be incomplete. Ranges after it get no page.
 */
export async function selectChunkPages(db: Database, ranges: ChunkRange[], bytes = PAGE_FILL_BYTES) {
  const range_index = sql<number>`searched.key`;
  const member = (name: string) => sql`searched.value ->> ${name}`;
  const inOrder = sql`ORDER BY ${range_index}, ${chunk.to}, ${chunk.id}`;
  const sizes = db
    .select({
      range_index: range_index.as("range_index"),
      id: sql<number>`${chunk.id}`.as("sized_id"),
      before: sql<number>`sum(${chunk.bytes}) OVER (${inOrder}) - ${chunk.bytes}`.as("before"),
      rest: sql<number>`count(*) OVER () - row_number() OVER (${inOrder})`.as("rest"),
      next: sql<number | null>`lead(${range_index}) OVER (${inOrder})`.as("next_index"),
    })
    // The cross join keeps this order, so that the chunk index is searched for each range.
    .from(sql`json_each(${JSON.stringify(ranges)}) AS searched`)
    .crossJoin(chunk)
    .where(
      and(
        eq(chunk.account_id, member("account_id")),
        eq(chunk.tracker_id, member("tracker_id")),
        gte(chunk.to, member("from")),
        lte(chunk.from, member("to")),
      ),
    )
    .as("sizes");
  const rows = await db
    .select({ to: chunk.to, range_index: sizes.range_index, next: sizes.next, rest: sizes.rest, ...STORED_COLUMNS })
    .from(sizes)
    .innerJoin(chunk, eq(chunk.id, sizes.id))
    .where(lt(sizes.before, bytes))
    .orderBy(asc(sizes.range_index), asc(chunk.to), asc(chunk.id));
  const end = rows.at(-1);
  const byRange = Map.groupBy(rows, (row) => row.range_index);
  // If all chunks were read, the remaining ranges have none.
  const read = end && end.rest > 0 ? ranges.slice(0, end.range_index + 1) : ranges;
  return read.map((_, index) =>
    (byRange.get(index) ?? []).map(({ range_index, next, rest, ...row }) => ({ ...row, isLast: next !== range_index })),
  );
}

/** True if the error says that this flush was stored before. */
export function isStoredAlready(thrown: unknown): boolean {
  return takenColumns(thrown).startsWith("chunk.account_id, chunk.tracker_id, chunk.flush");
}

/** Attributes can make a chunk this large; without them it has some 20,000 bytes. */
export const MAX_CHUNK_BYTES = 1_000_000;

/** Chunks are added while an answer is below this, so that the last one still fits. */
export const PAGE_FILL_BYTES = MAX_BYTES_PER_PAGE - MAX_CHUNK_BYTES;

/** A condition on the owner for rows found by other columns: the unary plus keeps SQLite from the tracker's index. */
export function belongsTo({ account_id, tracker_id }: FeedReference) {
  return sql`+${chunk.account_id} = ${account_id} AND +${chunk.tracker_id} = ${tracker_id}`;
}

function ownedBy({ account_id, tracker_id }: FeedReference) {
  return and(eq(chunk.account_id, account_id), eq(chunk.tracker_id, tracker_id));
}

function among(ids: number[]) {
  return sql`${chunk.id} in (select value from json_each(${JSON.stringify(ids)}))`;
}
