import { and, asc, eq, getTableColumns, gte, lt, lte, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { chunk, type NewChunk } from "../table/chunk.ts";

/** Whose points: no principal is at hand where a feed stores them. Callers with one check the tracker first. */
export type FeedReference = { account_id: number; tracker_id: number };

/** What one answer may hold: on the wire it grows by a third, and 5 MB is the limit there. */
export const PAGE_BYTES = 3_750_000;

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

export async function deleteChunks(db: Database, owner: FeedReference, ids: number[]) {
  await db.delete(chunk).where(and(ownedBy(owner), among(ids)));
}

/** Callers keep the sum of `bytes` within `PAGE_BYTES`. */
export function selectChunkData(db: Database, owner: FeedReference, ids: number[]) {
  return db
    .select({ id: chunk.id, data: chunk.data })
    .from(chunk)
    .where(and(ownedBy(owner), among(ids)));
}

/** All chunks of one tracker without their points, in time order. */
export function selectChunkHeaders(db: Database, owner: FeedReference) {
  const { data, account_id, tracker_id, ...header } = getTableColumns(chunk);
  return db.select(header).from(chunk).where(ownedBy(owner)).orderBy(asc(chunk.to));
}

/** The first page of chunks that touch [from, to], in time order; at least one chunk if there is any. */
export async function selectChunkPage(db: Database, owner: FeedReference, from: number, to: number) {
  const [page = []] = await selectChunkPages(db, [{ ...owner, from, to }]);
  return page;
}
export type ChunkPage = Awaited<ReturnType<typeof selectChunkPages>>[number];

/** What is read of a tracker's chunks. */
export type ChunkStretch = FeedReference & { from: number; to: number };

/**
 * The same of several stretches together, as many chunks as one answer may hold, or as have so many bytes: a page for each
 * of the first stretches, of which the last may be the only one that goes on.
 */
export async function selectChunkPages(db: Database, stretches: ChunkStretch[], bytes = ROOM_BYTES) {
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
    .from(sql`json_each(${JSON.stringify(stretches)}) AS stretch`)
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
    .select({ to: chunk.to, data: chunk.data, place: sizes.place, next: sizes.next, rest: sizes.rest })
    .from(sizes)
    .innerJoin(chunk, eq(chunk.id, sizes.id))
    .where(lt(sizes.before, bytes))
    .orderBy(asc(sizes.place), asc(chunk.to), asc(chunk.id));
  const end = rows.at(-1);
  const byPlace = Map.groupBy(rows, (row) => row.place);
  // Behind the last chunk there are stretches without any.
  const read = end && end.rest > 0 ? stretches.slice(0, end.place + 1) : stretches;
  return read.map((_, index) =>
    (byPlace.get(index) ?? []).map(({ to, data, place, next }) => ({ to, data, isLast: next !== place })),
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
export const LARGEST_CHUNK_BYTES = 1_000_000;

/** As long as an answer has fewer, one more chunk may be in it. */
export const ROOM_BYTES = PAGE_BYTES - LARGEST_CHUNK_BYTES;

function ownedBy({ account_id, tracker_id }: FeedReference) {
  return and(eq(chunk.account_id, account_id), eq(chunk.tracker_id, tracker_id));
}

function among(ids: number[]) {
  return sql`${chunk.id} in (select value from json_each(${JSON.stringify(ids)}))`;
}
