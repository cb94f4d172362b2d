import type { AccountPosition, AreasAround, NamedArea } from "#shared/contract/point/area.ts";
import type { Database } from "#shared/database/open.ts";
import { contains, type ZoneShape } from "../../zone/contains.ts";
import { selectAreasNear } from "./queries.ts";

type Area = ZoneShape & NamedArea & { account_id: number };

/** For each position of an account the zones and places that contain it. */
export async function areasAround(db: Database, positions: AccountPosition[]): Promise<AreasAround[]> {
  const { places, zones } = await selectAreasNear(db, positions);
  return positions.map((position) => ({
    places: areasContaining(places, position),
    zones: areasContaining(zones, position),
  }));
}

function areasContaining(areas: Area[], { account_id, ...point }: AccountPosition): NamedArea[] {
  const matches: NamedArea[] = [];
  for (const area of areas) {
    if (matches.length === MAX_AREAS_PER_KIND) break;
    if (area.account_id === account_id && contains(area, point)) matches.push({ id: area.id, label: area.label });
  }
  return matches;
}

const MAX_AREAS_PER_KIND = 20;
