import type { Principal } from "#shared/caller/principal.ts";
import type { VisibleAreas } from "#shared/contract/area.ts";
import type { Database } from "#shared/database/open.ts";
import { selectBoundIds } from "../sharing/queries.ts";

/** What somebody sees, as ids that may be many: to be asked once for a list. */
export async function visibleAreas(db: Database, principal: Principal): Promise<VisibleAreas> {
  const idsOf = async (type: "place" | "zone") => {
    if (principal.kind !== "subuser") return null;
    const { access_to_all, list } = await selectBoundIds(db, principal, type, principal.user_id);
    return access_to_all ? null : list;
  };
  const [places, zones] = await Promise.all([idsOf("place"), idsOf("zone")]);
  return { places, zones };
}
