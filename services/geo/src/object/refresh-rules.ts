import type { GeoEnv } from "../env.ts";

/**
 * Reports changed rules or zones to the account's rule directory before the caller answers. If the call fails, the
 * directory finds the change in the database a little later.
 */
export async function refreshAccountRules({ RULES }: Pick<GeoEnv, "RULES">, account_id: number) {
  await RULES.getByName(String(account_id))
    .refresh()
    .catch((thrown: unknown) => console.error(JSON.stringify({ rule_book: String(thrown) })));
}
