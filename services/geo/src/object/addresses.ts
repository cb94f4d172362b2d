import type { GeoEnv } from "../env.ts";

/** The feed of a tracker, named by the tracker's id. */
export function feedOf(env: GeoEnv, tracker_id: number) {
  return env.FEEDS.getByName(String(tracker_id));
}

/** The rules of an account, named by the account's id. */
export function accountRulesOf({ RULES }: Pick<GeoEnv, "RULES">, account_id: number) {
  return RULES.getByName(String(account_id));
}

/** The shared journal of a block of trackers, named by the block's number. */
export function sharedJournalOf({ JOURNALS }: Pick<GeoEnv, "JOURNALS">, tracker_id: number) {
  return JOURNALS.getByName(String(Math.floor(tracker_id / BLOCK_TRACKERS)));
}

/**
 * The number of trackers in a block. At a point every ten seconds they send a hundred lines a second; an object handles
 * several times as many.
 */
const BLOCK_TRACKERS = 1024;

/** The status board of an account, named by the account's id. */
export function boardOf(env: GeoEnv, account_id: number) {
  return env.BOARDS.getByName(String(account_id));
}
