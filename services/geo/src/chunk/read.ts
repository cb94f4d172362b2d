import type { Database } from "#shared/database/open.ts";
import { MissingPointsError, readArchivedPoints } from "./archived-points.ts";
import { type ChunkRange, type FeedReference, selectChunkData, selectChunkPages } from "./queries.ts";

/** The points of chunks in time order. `isLast`: the range has no further chunks. */
export type ChunkPage = { to: number; data: Uint8Array; isLast: boolean }[];

/** The first page of chunks that touch [from, to]; at least one chunk if there is any. */
export async function readChunkPage(
  db: Database,
  archive: R2Bucket,
  owner: FeedReference,
  { from, to }: { from: number; to: number },
): Promise<ChunkPage> {
  const [page = []] = await readChunkPages(db, archive, [{ ...owner, from, to }]);
  return page;
}

/**
 * Pages for the first ranges, some 5 MB in total; only the last may be incomplete. Archived points take one more round
 * trip for all of them.
 */
export function readChunkPages(
  db: Database,
  archive: R2Bucket,
  ranges: ChunkRange[],
  bytes?: number,
): Promise<ChunkPage[]> {
  return retryWhenMoved(async () => {
    const pages = await selectChunkPages(db, ranges, bytes);
    const archived = await readArchivedPoints(archive, pages.flat());
    return pages.map((page) =>
      page.map((row) => ({ to: row.to, data: archived.get(row) ?? row.data, isLast: row.isLast })),
    );
  });
}

/** Points of chunks by id. The caller keeps the sum of `bytes` within `MAX_BYTES_PER_PAGE`. */
export function readChunks(
  db: Database,
  archive: R2Bucket,
  owner: FeedReference,
  ids: number[],
): Promise<[id: number, data: Uint8Array][]> {
  return retryWhenMoved(async () => {
    const rows = await selectChunkData(db, owner, ids);
    const archived = await readArchivedPoints(archive, rows);
    return rows.map((row) => [row.id, archived.get(row) ?? row.data]);
  });
}

/** Reads again once if an archive object is missing: a flush may have deleted it after the rows were read. */
async function retryWhenMoved<T>(read: () => Promise<T>): Promise<T> {
  return read().catch((thrown) => {
    if (thrown instanceof MissingPointsError) return read();
    throw thrown;
  });
}
