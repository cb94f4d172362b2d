import { awaitAll } from "#shared/background/await-all.ts";
import { mapConcurrently } from "#shared/background/map-concurrently.ts";
import { emptyFolder } from "#shared/bucket/empty-folder.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { GeoEnv } from "../../env.ts";
import { boardOf, feedOf, sharedJournalOf } from "../../object/addresses.ts";
import { forgetLeftovers } from "../archive/queries.ts";
import { folderOf } from "../archived-points.ts";
import { trackerDatabases } from "../database/open.ts";
import { deleteDevices, deletePoints } from "./queries.ts";

/** Erases trackers, feeds first: from then on no code writes their points. */
export async function eraseTrackers(env: GeoEnv, account_id: number, tracker_ids: number[]) {
  await Promise.all(tracker_ids.map((id) => eraseFeed(env, id)));
  await awaitAll([
    ...trackerDatabases(env).map((db) => deletePoints(db, account_id, tracker_ids)),
    deleteDevices(openDatabase(env), account_id, tracker_ids),
  ]);
  await mapConcurrently(tracker_ids, (tracker_id) => eraseArchive(env, folderOf({ account_id, tracker_id })));
  await boardOf(env, account_id).clear();
}

async function eraseArchive(env: GeoEnv, folder: string) {
  await emptyFolder(env.ARCHIVE, folder);
  await forgetLeftovers(openDatabase(env), folder);
}

/** Erases a feed. The call fails, as the object aborts itself; a second call checks the result. */
async function eraseFeed(env: GeoEnv, tracker_id: number) {
  await feedOf(env, tracker_id)
    .erase()
    .catch(() => undefined);
  if (!(await feedOf(env, tracker_id).isErased())) throw new Error("a feed still holds something of its tracker");
  await sharedJournalOf(env, tracker_id).erase(tracker_id);
}
