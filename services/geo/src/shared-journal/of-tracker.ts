import type { GeoEnv } from "../env.ts";

/** The journal of a tracker's block is the object that is named by the block's number. */
export function sharedJournalOf({ JOURNALS }: Pick<GeoEnv, "JOURNALS">, tracker_id: number) {
  return JOURNALS.getByName(String(Math.floor(tracker_id / BLOCK_TRACKERS)));
}

/** At a point every ten seconds they are a hundred lines a second: an object takes several times as many. */
const BLOCK_TRACKERS = 1024;
