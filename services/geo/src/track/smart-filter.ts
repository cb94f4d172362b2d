import { metersBetween } from "#shared/geometry/distance.ts";
import type { Trip } from "../object/trip.ts";

/** True for trips that are only drift of the receiver, or moves within a yard. Single reports are never short. */
export function isShort({ kind, points, length_meters, bounds }: Trip): boolean {
  if (kind !== "regular") return false;
  if (points < MIN_POINTS || length_meters < MIN_METERS) return true;
  const { south, west, north, east } = bounds;
  const middle = (south + north) / 2;
  const height = metersBetween({ lat: south, lng: west }, { lat: north, lng: west });
  const width = metersBetween({ lat: middle, lng: west }, { lat: middle, lng: east });
  return height < MIN_BOX_METERS && width < MIN_BOX_METERS;
}

/** True if all points come from cell towers. */
export function isLbs({ points, lbs_points }: Pick<Trip, "points" | "lbs_points">): boolean {
  return lbs_points >= points;
}

const MIN_POINTS = 4;
const MIN_METERS = 300;
const MIN_BOX_METERS = 200;
