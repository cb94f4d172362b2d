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
  const inOrder = sql`order by ${chunk.to}, ${chunk.id}`;
  const sizes = db
    .select({
      id: sql<number>`${chunk.id}`.as("sized_id"),
      before: sql<number>`sum(${chunk.bytes}) over (${inOrder}) - ${chunk.bytes}`.as("before"),
      left: sql<number>`count(*) over () - row_number() over (${inOrder})`.as("left"),
    })
    .from(chunk)
    .where(and(ownedBy(owner), gte(chunk.to, from), lte(chunk.from, to)))
    .as("sizes");
  const rows = await db
    .select({ to: chunk.to, data: chunk.data, left: sizes.left })
    .from(sizes)
    .innerJoin(chunk, eq(chunk.id, sizes.id))
    .where(lt(sizes.before, PAGE_BYTES - LARGEST_CHUNK_BYTES))
    .orderBy(asc(chunk.to), asc(chunk.id));
  return rows.map(({ to, data, left }) => ({ to, data, isLast: left === 0 }));
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

function ownedBy({ account_id, tracker_id }: FeedReference) {
  return and(eq(chunk.account_id, account_id), eq(chunk.tracker_id, tracker_id));
}

function among(ids: number[]) {
  return sql`${chunk.id} in (select value from json_each(${JSON.stringify(ids)}))`;
}
