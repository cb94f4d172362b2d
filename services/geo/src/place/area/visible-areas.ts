import type { Principal } from "#shared/caller/principal.ts";
import type { VisibleAreas } from "#shared/contract/point/area.ts";
import type { Database } from "#shared/database/open.ts";
import { selectBoundIds } from "../sharing/queries.ts";

/**
 * Ids of all zones and places that the caller sees; null: all of the account. The lists may be long: call this once for
 * a list of things.
 */
export async function visibleAreas(db: Database, principal: Principal): Promise<VisibleAreas> {
  const idsOf = async (type: "place" | "zone") => {
    if (principal.kind !== "subuser") return null;
    const { access_to_all, list } = await selectBoundIds(db, principal, type, principal.user_id);
    return access_to_all ? null : list;
  };
  const [places, zones] = await Promise.all([idsOf("place"), idsOf("zone")]);
  return { places, zones };
}
