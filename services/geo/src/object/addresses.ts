import type { GeoEnv } from "../env.ts";

/** A tracker's feed is the object that is named by its id. */
export function feedOf(env: GeoEnv, tracker_id: number) {
  return env.FEEDS.getByName(String(tracker_id));
}

/** An account's rule book is the object that is named by its id. */
export function accountRulesOf({ RULES }: Pick<GeoEnv, "RULES">, account_id: number) {
  return RULES.getByName(String(account_id));
}

/** The journal of a tracker's block is the object that is named by the block's number. */
export function sharedJournalOf({ JOURNALS }: Pick<GeoEnv, "JOURNALS">, tracker_id: number) {
  return JOURNALS.getByName(String(Math.floor(tracker_id / BLOCK_TRACKERS)));
}

/** At a point every ten seconds they are a hundred lines a second: an object takes several times as many. */
const BLOCK_TRACKERS = 1024;

/** An account's board is the object that is named by its id. */
export function boardOf(env: GeoEnv, account_id: number) {
  return env.BOARDS.getByName(String(account_id));
}
