import type { Database } from "#shared/database/open.ts";
import { keyOf } from "./archived-points.ts";
import { deleteChunks, type FeedReference } from "./queries.ts";

/** With those objects of the archive that were theirs alone. What is cut off in between the search for objects finds. */
export async function removeChunks(db: Database, archive: R2Bucket, owner: FeedReference, ids: number[]) {
  const objects = await deleteChunks(db, owner, ids);
  if (objects.length > 0) await archive.delete(objects.map((object) => keyOf(owner, object)));
}
