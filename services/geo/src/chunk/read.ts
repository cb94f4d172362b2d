import type { Database } from "#shared/database/open.ts";
import { MissingPointsError, readArchivedPoints } from "./archived-points.ts";
import { type ChunkRange, type FeedReference, selectChunkData, selectChunkPages } from "./queries.ts";

/** The points of chunks in time order. `isLast`: there are no more in the range. */
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
 * Pages for the first stretches together, some 5 MB: only the last of them may go on. What is in the archive takes one
 * more trip, for all of it.
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

/** The points of these chunks, by their ids. Callers keep the sum of `bytes` within `PAGE_BYTES`. */
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

/** An object goes when its last chunk was replaced or removed, which may be behind the look at the rows. */
async function retryWhenMoved<T>(read: () => Promise<T>): Promise<T> {
  return read().catch((thrown) => {
    if (thrown instanceof MissingPointsError) return read();
    throw thrown;
  });
}
