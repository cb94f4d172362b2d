import { invalid } from "#shared/api-error.ts";
import type { Principal } from "#shared/principal.ts";
import type { GeoEnv } from "../env.ts";

/** All must be tags of the account. */
export async function requireTags({ FLEET }: GeoEnv, principal: Principal, ids: number[], parameter: string) {
  if (ids.length === 0) return;
  const known = new Set(await FLEET.knownTags(principal, ids));
  if (!ids.every((id) => known.has(id))) throw invalid(parameter, "names a tag that does not exist");
}
