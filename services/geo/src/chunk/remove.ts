import type { Database } from "#shared/database/open.ts";
import { keyOf } from "./archived-points.ts";
import { deleteChunks, type FeedReference } from "./queries.ts";

/**
 * Deletes chunks and the archive objects that only they used. If the process dies in between, `removeLeftovers` finds
 * the objects.
 */
export async function removeChunks(db: Database, archive: R2Bucket, owner: FeedReference, ids: number[]) {
  const objects = await deleteChunks(db, owner, ids);
  if (objects.length > 0) await archive.delete(objects.map((object) => keyOf(owner, object)));
}
