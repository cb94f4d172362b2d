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
export class MissingPoints extends Error {}

/**
 * The points of those rows that have theirs in the archive, side by side: what stands close together is one read.
 * 14 where the archive cannot be reached; `MissingPoints`.
 */
export async function archivedPoints(archive: R2Bucket, rows: StoredChunk[]): Promise<Map<StoredChunk, Uint8Array>> {
  const found = await mapConcurrently(runsOf(rows), (run) => readRun(archive, run));
  return new Map(found.flat());
}

type Place = { row: StoredChunk; offset: number; end: number };
/** Places in one object, close together. */
type Run = { key: string; offset: number; end: number; places: Place[] };

function runsOf(rows: StoredChunk[]): Run[] {
  const runs: Run[] = [];
  for (const [key, places] of Map.groupBy(rows.flatMap(placeOf), ({ key }) => key)) {
    let run: Run | undefined;
    for (const place of places.toSorted((one, other) => one.offset - other.offset)) {
      if (!run || place.offset > run.end + WIDEST_GAP) {
        run = { key, offset: place.offset, end: place.end, places: [] };
        runs.push(run);
      }
      run.end = Math.max(run.end, place.end);
      run.places.push(place);
    }
  }
  return runs;
}

function placeOf(row: StoredChunk): (Place & { key: string })[] {
  const { object, object_offset: offset, bytes } = row;
  return object === null || offset === null ? [] : [{ row, key: keyOf(row, object), offset, end: offset + bytes }];
}

async function readRun(archive: R2Bucket, run: Run): Promise<[StoredChunk, Uint8Array][]> {
  const bytes = await bytesOf(archive, run);
  if (bytes?.byteLength !== run.end - run.offset) throw new MissingPoints(`the archive has not all of ${run.key}`);
  return run.places.map(({ row, offset, end }) => [row, bytes.subarray(offset - run.offset, end - run.offset)]);
}

async function bytesOf(archive: R2Bucket, { key, offset, end }: Run): Promise<Uint8Array | null> {
  try {
    return await hop(async () => {
      const object = await archive.get(key, { range: { offset, length: end - offset } });
      return object && new Uint8Array(await object.arrayBuffer());
    });
  } catch (thrown) {
    if (String(thrown).includes(BEHIND_THE_END)) return null;
    throw new ApiError(14, {}, { cause: thrown });
  }
}

/** What is read in vain is less dear than another read. */
const WIDEST_GAP = 65_536;
/** The bucket's code for a range that begins where the object has ended. */
const BEHIND_THE_END = "(10039)";
