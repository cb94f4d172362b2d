import type { GeoEnv } from "../env.ts";

/**
 * Once rules or their zones are stored, before it is answered: feeds follow them from then on. A book that does not
 * answer looks into the database by itself a little later.
 */
export async function refreshAccountRules({ RULES }: Pick<GeoEnv, "RULES">, account_id: number) {
  await RULES.getByName(String(account_id))
    .refresh()
    .catch((thrown: unknown) => console.error(JSON.stringify({ rule_book: String(thrown) })));
}
