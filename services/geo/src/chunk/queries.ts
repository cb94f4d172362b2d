import { and, asc, eq, getTableColumns, gte, inArray, isNotNull, lt, lte, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { type ChunkRow, chunk, type NewChunk } from "../table/chunk/chunk.ts";

/** Whose points: no principal is at hand where a feed stores them. Callers with one check the tracker first. */
export type FeedReference = { account_id: number; tracker_id: number };

/** Of one tracker. */
export type ChunkRange = FeedReference & { from: number; to: number };

/** What one answer may hold: on the wire it grows by a third, and 5 MB is the limit there. */
export const MAX_BYTES_PER_PAGE = 3_750_000;

/** Replaces chunks by others, at once. Answers the ids of the new ones, in their order. */
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

/** Answers the objects of the archive that no chunk is in any more. */
export async function deleteChunks(db: Database, owner: FeedReference, ids: number[]): Promise<number[]> {
  const { emptied } = await write(db, {
    emptied: db
      .select({ object: sql<number>`${chunk.object}` })
      .from(chunk)
      .where(and(belongsTo(owner), inArray(chunk.object, objectsOf(db, owner, ids))))
      .groupBy(chunk.object)
      .having(sql`sum(NOT ${among(ids)}) = 0`),
    deleted: db.delete(chunk).where(and(ownedBy(owner), among(ids))),
  });
  return emptied.map(({ object }) => object);
}

function objectsOf(db: Database, owner: FeedReference, ids: number[]) {
  const located = and(belongsTo(owner), among(ids), isNotNull(chunk.object));
  return db.select({ object: chunk.object }).from(chunk).where(located);
}

/** A chunk's points: here, or where they are in the archive. Nobody but `read.ts` needs to know which. */
const STORED_COLUMNS = {
  account_id: chunk.account_id,
  tracker_id: chunk.tracker_id,
  data: chunk.data,
  bytes: chunk.bytes,
  object: chunk.object,
  object_offset: chunk.object_offset,
};
export type StoredChunk = Pick<ChunkRow, keyof typeof STORED_COLUMNS>;

/** Callers keep the sum of `bytes` within `PAGE_BYTES`. */
export function selectChunkData(db: Database, owner: FeedReference, ids: number[]) {
  return db
    .select({ id: chunk.id, ...STORED_COLUMNS })
    .from(chunk)
    .where(and(ownedBy(owner), among(ids)));
}

/** All chunks of one tracker without their points, in time order. */
export function selectChunkHeaders(db: Database, owner: FeedReference) {
  const { data, account_id, tracker_id, object, object_offset, ...header } = getTableColumns(chunk);
  return db.select(header).from(chunk).where(ownedBy(owner)).orderBy(asc(chunk.to));
}

/**
 * A page of chunks that touch its range for each of the first stretches, in time order, as many chunks together as one
 * answer may hold, or as have so many bytes; only the last of them may go on. At least one chunk if there is any.
 */
export async function selectChunkPages(db: Database, ranges: ChunkRange[], bytes = PAGE_FILL_BYTES) {
  const place = sql<number>`stretch.key`;
  const member = (name: string) => sql`stretch.value ->> ${name}`;
  const inOrder = sql`ORDER BY ${place}, ${chunk.to}, ${chunk.id}`;
  const sizes = db
    .select({
      place: place.as("place"),
      id: sql<number>`${chunk.id}`.as("sized_id"),
      before: sql<number>`sum(${chunk.bytes}) OVER (${inOrder}) - ${chunk.bytes}`.as("before"),
      rest: sql<number>`count(*) OVER () - row_number() OVER (${inOrder})`.as("rest"),
      next: sql<number | null>`lead(${place}) OVER (${inOrder})`.as("next_place"),
    })
    // In this order: the index of chunks is asked for each stretch.
    .from(sql`json_each(${JSON.stringify(ranges)}) AS stretch`)
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
    .select({ to: chunk.to, place: sizes.place, next: sizes.next, rest: sizes.rest, ...STORED_COLUMNS })
    .from(sizes)
    .innerJoin(chunk, eq(chunk.id, sizes.id))
    .where(lt(sizes.before, bytes))
    .orderBy(asc(sizes.place), asc(chunk.to), asc(chunk.id));
  const end = rows.at(-1);
  const byPlace = Map.groupBy(rows, (row) => row.place);
  // Behind the last chunk there are stretches without any.
  const read = end && end.rest > 0 ? ranges.slice(0, end.place + 1) : ranges;
  return read.map((_, index) =>
    (byPlace.get(index) ?? []).map(({ place, next, rest, ...row }) => ({ ...row, isLast: next !== place })),
  );
}

/** Whether the failure says that this very flush was stored before. */
export function isStoredAlready(thrown: unknown): boolean {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    // Over HTTP every violation has one code: the kind is only in the text.
    if (/UNIQUE constraint failed: chunk\.account_id, chunk\.tracker_id, chunk\.flush/.test(cause.message)) return true;
  }
  return false;
}

/** Attributes can make a chunk this large; without them it has some 20,000 bytes. */
export const MAX_CHUNK_BYTES = 1_000_000;

/** As long as an answer has fewer, one more chunk may be in it. */
export const PAGE_FILL_BYTES = MAX_BYTES_PER_PAGE - MAX_CHUNK_BYTES;

/** The same for rows that are found by what else is said of them: no index of the tracker's chunks is gone through. */
export function belongsTo({ account_id, tracker_id }: FeedReference) {
  return sql`+${chunk.account_id} = ${account_id} AND +${chunk.tracker_id} = ${tracker_id}`;
}

function ownedBy({ account_id, tracker_id }: FeedReference) {
  return and(eq(chunk.account_id, account_id), eq(chunk.tracker_id, tracker_id));
}

function among(ids: number[]) {
  return sql`${chunk.id} in (select value from json_each(${JSON.stringify(ids)}))`;
}
