import type { GeoEnv } from "../env.ts";

/** An account's board is the object that is named by its id. */
export function boardOf(env: GeoEnv, account_id: number) {
  return env.BOARDS.getByName(String(account_id));
}
