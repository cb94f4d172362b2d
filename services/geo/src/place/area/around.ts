import type { AccountPosition, AreasAround, NamedArea } from "#shared/contract/area.ts";
import type { Database } from "#shared/database/open.ts";
import { contains, type Figure } from "../../zone/contains.ts";
import { selectNear } from "./queries.ts";

type Area = Figure & NamedArea & { account_id: number };

/** What holds each of the spots. */
export async function areasAround(db: Database, spots: AccountPosition[]): Promise<AreasAround[]> {
  const { places, zones } = await selectNear(db, spots);
  return spots.map((spot) => ({ places: holding(places, spot), zones: holding(zones, spot) }));
}

function holding(areas: Area[], { account_id, ...place }: AccountPosition): NamedArea[] {
  const found: NamedArea[] = [];
  for (const area of areas) {
    if (found.length === MOST_NAMED) break;
    if (area.account_id === account_id && contains(area, place)) found.push({ id: area.id, label: area.label });
  }
  return found;
}

/** Of each kind. */
const MOST_NAMED = 20;
