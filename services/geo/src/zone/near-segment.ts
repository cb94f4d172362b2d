import { metersBetweenDegrees } from "#shared/geometry/distance.ts";

/** Whether the line segment comes within `maxMeters` of the position. */
export function isNearSegment(
  lng: number,
  lat: number,
  fromLng: number,
  fromLat: number,
  toLng: number,
  toLat: number,
  maxMeters: number,
): boolean {
  // The segment may be nearer on the other side of the earth.
  const offset = 360 * Math.round(((fromLng + toLng) / 2 - lng) / 360);
  // In the plane around the position, degrees eastwards are scaled to count like degrees northwards.
  const scale = Math.cos((lat * Math.PI) / 180);
  const x = (toLng - fromLng) * scale;
  const y = toLat - fromLat;
  const square = x * x + y * y;
  const along = (lng + offset - fromLng) * scale * x + (lat - fromLat) * y;
  const nearest = square === 0 ? 0 : clampShare(along / square);
  const meters = metersBetweenDegrees(lng, lat, fromLng + nearest * (toLng - fromLng), fromLat + nearest * y);
  if (meters <= maxMeters || maxMeters < MIN_CURVED_METERS || meters > maxMeters * MAX_PLANE_ERROR_RATIO)
    return meters <= maxMeters;
  // At such distances the earth is curved: the nearest point of the plane is only near the true one, so it is searched.
  const metersAt = (share: number) =>
    metersBetweenDegrees(lng, lat, fromLng + share * (toLng - fromLng), fromLat + share * y);
  return minimumAround(nearest, metersAt) <= maxMeters;
}

/** The minimum of a function that falls and then rises, near `share`. */
function minimumAround(share: number, valueAt: (share: number) => number): number {
  let [low, high] = [clampShare(share - SEARCH_SHARE), clampShare(share + SEARCH_SHARE)];
  for (let round = 0; round < SEARCH_ROUNDS; round++) {
    const third = (high - low) / 3;
    if (valueAt(low + third) < valueAt(high - third)) high -= third;
    else low += third;
  }
  return valueAt((low + high) / 2);
}

function clampShare(share: number) {
  return Math.max(0, Math.min(1, share));
}

/** Up to this distance the plane is wrong by less than a meter. */
const MIN_CURVED_METERS = 20_000;
/** The plane overestimates distances by at most this factor. */
const MAX_PLANE_ERROR_RATIO = 1.25;
const SEARCH_SHARE = 0.5;
/** Each round leaves two thirds of the interval: less than a ten thousandth of the segment in the end. */
const SEARCH_ROUNDS = 24;
