import type { FleetClient } from "../../../clients/typescript/src/client.ts";
import type { Parameters } from "../../../clients/typescript/src/operation-types.ts";
import { findOrCreate } from "../client.ts";
import type { Drives, Position } from "../drive/drives.ts";
import { positionOf, SITES, type SiteKey } from "../drive/sites.ts";
import type { TagIds } from "./trackers.ts";

export type ZoneIds = Record<"depot" | "neuhausen" | "schwabing" | "branch" | "city" | "motorway", number>;

const ZONE_RADIUS_METERS = 150;
const PLACE_RADIUS_METERS = 120;
/** The zone of the inner city around the sites of the recorded drive, and a park in it that is no part of the zone. */
const CITY = rectangle(48.168, 11.523, 48.131, 11.572);
const PARK = rectangle(48.1475, 11.5445, 48.1435, 11.5525);
/** Seconds of the recorded drive that are on a motorway. */
const MOTORWAY = { from: 690, to: 960, step: 18 };

export async function createZones(client: FleetClient, drives: Drives, tags: TagIds): Promise<ZoneIds> {
  const { list } = await client.call("/zone/list");
  const create = (zone: Parameters<"/zone/create">["zone"]) =>
    findOrCreate(
      list,
      ({ label }) => label === zone.label,
      () => client.call("/zone/create", { zone }),
    );
  const circle = (key: SiteKey, color: string, zoneTags: number[] = []) => {
    const { label, address } = SITES[key];
    const shape = { type: "circle" as const, center: positionOf(key, drives), radius: ZONE_RADIUS_METERS };
    return create({ ...shape, label, address, color, tags: zoneTags });
  };
  const line = Array.from({ length: (MOTORWAY.to - MOTORWAY.from) / MOTORWAY.step }, (_, index) => {
    const { lat, lng } = drives.munich[MOTORWAY.from + index * MOTORWAY.step] ?? positionOf("lochham", drives);
    return { lat, lng };
  });
  return {
    depot: await circle("depot", "3E9C5A"),
    neuhausen: await circle("neuhausen", "1E96C8", [tags.customer]),
    schwabing: await circle("schwabing", "1E96C8", [tags.customer]),
    branch: await circle("branch", "3E9C5A"),
    city: await create({ type: "polygon", label: "Inner city", color: "C8781E", points: CITY, holes: [PARK] }),
    motorway: await create({ type: "sausage", label: "Motorway A 96", color: "8E44AD", radius: 80, points: line }),
  };
}

/** Creates a place for each site. */
export async function createPlaces(client: FleetClient, drives: Drives, tags: TagIds) {
  const { list } = await client.call("/place/list");
  // The record is declared with these keys alone.
  for (const key of Object.keys(SITES) as SiteKey[]) {
    const { label, address, description } = SITES[key];
    const location = { ...positionOf(key, drives), address, radius: PLACE_RADIUS_METERS };
    const placeTags = ["neuhausen", "schwabing"].includes(key) ? { tags: [tags.customer] } : {};
    await findOrCreate(
      list,
      (place) => place.label === label,
      () => client.call("/place/create", { place: { label, description, location, external_id: key, ...placeTags } }),
    );
  }
}

function rectangle(north: number, west: number, south: number, east: number): Position[] {
  return [
    { lat: north, lng: west },
    { lat: north, lng: east },
    { lat: south, lng: east },
    { lat: south, lng: west },
  ];
}
