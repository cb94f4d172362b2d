import type { Stop } from "#shared/contract/point/visit.ts";
import type { Fix } from "./visits.ts";

/** A box around positions. West is never greater than east: a box over the date line spans all longitudes. */
export type Reach = { south: number; west: number; north: number; east: number };

/** The box around a stop. Near a pole or the date line it spans all longitudes. */
export function reachOf({ lat, lng, radius }: Pick<Stop, "lat" | "lng" | "radius">): Reach {
  const up = radius / MIN_METERS_PER_DEGREE;
  const [south, north] = [lat - up, lat + up];
  const furthest = Math.max(Math.abs(south), Math.abs(north));
  if (furthest >= 89) return { south, north, west: -180, east: 180 };
  const across = up / Math.cos((furthest * Math.PI) / 180);
  if (lng - across < -180 || lng + across > 180) return { south, north, west: -180, east: 180 };
  return { south, north, west: lng - across, east: lng + across };
}

export function reachOfFixes(fixes: Fix[]): Reach {
  const reach = { south: 90, west: 180, north: -90, east: -180 };
  for (const { lat, lng } of fixes) {
    if (lat < reach.south) reach.south = lat;
    if (lat > reach.north) reach.north = lat;
    if (lng < reach.west) reach.west = lng;
    if (lng > reach.east) reach.east = lng;
  }
  return reach;
}

export function doReachesOverlap(one: Reach, other: Reach): boolean {
  return one.south <= other.north && other.south <= one.north && one.west <= other.east && other.west <= one.east;
}

/** Slightly less than the shortest degree, so that boxes are never too small. */
const MIN_METERS_PER_DEGREE = 110_000;
