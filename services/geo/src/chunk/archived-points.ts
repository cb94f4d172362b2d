import { mapConcurrently } from "#shared/background/map-concurrently.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { hop } from "#shared/hops/hops.ts";
import type { FeedReference, StoredChunk } from "./queries.ts";

/** Where all is that the archive has of a tracker. */
export function folderOf({ account_id, tracker_id }: FeedReference) {
  return `${account_id}/${tracker_id}/`;
}

/** Of one of the tracker's objects. An object is written once, and never changed. */
export function keyOf(owner: FeedReference, object: number) {
  return `${folderOf(owner)}${object}`;
}

/** What a row says to be in the archive is not there, or not whole. */
export class MissingPointsError extends Error {}

/**
 * The points of those rows that have theirs in the archive, side by side: what stands close together is one read.
 * 14 where the archive cannot be reached; `MissingPoints`.
 */
export async function readArchivedPoints(
  archive: R2Bucket,
  rows: StoredChunk[],
): Promise<Map<StoredChunk, Uint8Array>> {
  const found = await mapConcurrently(planReads(rows), (run) => readRanges(archive, run));
  return new Map(found.flat());
}

type ArchivedRange = { row: StoredChunk; offset: number; end: number };
/** Places in one object, close together. */
type ArchiveRead = { key: string; offset: number; end: number; ranges: ArchivedRange[] };

function planReads(rows: StoredChunk[]): ArchiveRead[] {
  const runs: ArchiveRead[] = [];
  for (const [key, places] of Map.groupBy(rows.flatMap(archivedRangesOf), ({ key }) => key)) {
    let run: ArchiveRead | undefined;
    for (const place of places.toSorted((one, other) => one.offset - other.offset)) {
      if (!run || place.offset > run.end + MAX_GAP_BYTES) {
        run = { key, offset: place.offset, end: place.end, ranges: [] };
        runs.push(run);
      }
      run.end = Math.max(run.end, place.end);
      run.ranges.push(place);
    }
  }
  return runs;
}

function archivedRangesOf(row: StoredChunk): (ArchivedRange & { key: string })[] {
  const { object, object_offset: offset, bytes } = row;
  return object === null || offset === null ? [] : [{ row, key: keyOf(row, object), offset, end: offset + bytes }];
}

async function readRanges(archive: R2Bucket, run: ArchiveRead): Promise<[StoredChunk, Uint8Array][]> {
  const bytes = await bytesOf(archive, run);
  if (bytes?.byteLength !== run.end - run.offset) throw new MissingPointsError(`the archive has not all of ${run.key}`);
  return run.ranges.map(({ row, offset, end }) => [row, bytes.subarray(offset - run.offset, end - run.offset)]);
}

async function bytesOf(archive: R2Bucket, { key, offset, end }: ArchiveRead): Promise<Uint8Array | null> {
  try {
    return await hop(async () => {
      const object = await archive.get(key, { range: { offset, length: end - offset } });
      return object && new Uint8Array(await object.arrayBuffer());
    });
  } catch (thrown) {
    if (String(thrown).includes(RANGE_NOT_SATISFIABLE)) return null;
    throw new ApiError(14, {}, { cause: thrown });
  }
}

/** What is read in vain is less dear than another read. */
const MAX_GAP_BYTES = 65_536;
/** The bucket's code for a range that begins where the object has ended. */
const RANGE_NOT_SATISFIABLE = "(10039)";
