import { metersBetween } from "#shared/geometry/distance.ts";
import type { Trip } from "../object/trip.ts";

/** A drive that is none: a receiver's drift, or a car moved within its yard. Lone reports are not judged. */
export function isShort({ kind, points, length_meters, bounds }: Trip): boolean {
  if (kind !== "regular") return false;
  if (points < FEWEST_POINTS || length_meters < SHORTEST_METERS) return true;
  const { south, west, north, east } = bounds;
  const middle = (south + north) / 2;
  const height = metersBetween(south, west, north, west);
  return height < SMALLEST_BOX_METERS && metersBetween(middle, west, middle, east) < SMALLEST_BOX_METERS;
}

/** Cell towers alone saw it. */
export function isLbs({ points, lbs_points }: Pick<Trip, "points" | "lbs_points">): boolean {
  return lbs_points >= points;
}

const FEWEST_POINTS = 4;
const SHORTEST_METERS = 300;
const SMALLEST_BOX_METERS = 200;
