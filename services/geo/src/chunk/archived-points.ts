import { mapConcurrently } from "#shared/background/map-concurrently.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { hop } from "#shared/hops/hops.ts";
import type { FeedReference, StoredChunk } from "./queries.ts";

/** The key prefix of a tracker's objects in the archive. */
export function folderOf({ account_id, tracker_id }: FeedReference) {
  return `${account_id}/${tracker_id}/`;
}

/** The key of one of a tracker's objects. An object is written once and never changed. */
export function keyOf(owner: FeedReference, object: number) {
  return `${folderOf(owner)}${object}`;
}

/** A row names an object of the archive that does not exist or is too short. */
export class MissingPointsError extends Error {}

/**
 * Reads the points of archived rows concurrently; neighbouring ones of an object in one read. Throws error 14 if the
 * archive cannot be reached, or `MissingPointsError`.
 */
export async function readArchivedPoints(
  archive: R2Bucket,
  rows: StoredChunk[],
): Promise<Map<StoredChunk, Uint8Array>> {
  const ranges = await mapConcurrently(planReads(rows), (run) => readRanges(archive, run));
  return new Map(ranges.flat());
}

type ArchivedRange = { row: StoredChunk; offset: number; end: number };
/** One read of an object, with the ranges of rows that it covers. */
type ArchiveRead = { key: string; offset: number; end: number; ranges: ArchivedRange[] };

function planReads(rows: StoredChunk[]): ArchiveRead[] {
  const runs: ArchiveRead[] = [];
  for (const [key, ranges] of Map.groupBy(rows.flatMap(archivedRangesOf), ({ key }) => key)) {
    let run: ArchiveRead | undefined;
    for (const range of ranges.toSorted((one, other) => one.offset - other.offset)) {
      if (!run || range.offset > run.end + MAX_GAP_BYTES) {
        run = { key, offset: range.offset, end: range.end, ranges: [] };
        runs.push(run);
      }
      run.end = Math.max(run.end, range.end);
      run.ranges.push(range);
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

/** A gap of this size costs less than another read. */
const MAX_GAP_BYTES = 65_536;
/** The bucket's error code for a range that begins after the object's end. */
const RANGE_NOT_SATISFIABLE = "(10039)";
