import type { GeoEnv } from "../env.ts";

/** An account's rule book is the object that is named by its id. */
export function ruleBookOf({ RULES }: Pick<GeoEnv, "RULES">, account_id: number) {
  return RULES.getByName(String(account_id));
}
