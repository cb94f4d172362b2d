import type { Position } from "./position.ts";

/** WGS-84: half the axis through the equator, in meters, and the flattening. */
const A = 6_378_137;
const F = 1 / 298.257223563;
const E2 = F * (2 - F);
const RADIANS = Math.PI / 180;
/** Half the length of a meridian: the largest distance on the ellipsoid. */
const MAX_METERS = 20_003_931.4586;
/** Up to this distance the flat formula is within 0.1 m, near the poles within 1 m. */
const SHORT_DEGREES = 0.2;

/** Meters along the WGS-84 ellipsoid. */
export function metersBetween(from: Position, to: Position): number {
  return metersBetweenDegrees(from.lng, from.lat, to.lng, to.lat);
}

/**
 * Meters between positions that are only numbers, as at edges of zones: rules measure these for every point of a track,
 * and an object for each would be garbage.
 */
export function metersBetweenDegrees(fromLng: number, fromLat: number, toLng: number, toLat: number): number {
  let eastDegrees = Math.abs(toLng - fromLng) % 360;
  if (eastDegrees > 180) eastDegrees = 360 - eastDegrees;
  const northDegrees = Math.abs(toLat - fromLat);
  return eastDegrees < SHORT_DEGREES && northDegrees < SHORT_DEGREES
    ? flatMeters((fromLat + toLat) / 2, northDegrees, eastDegrees)
    : curvedMeters(fromLat, toLat, eastDegrees);
}

/** Flat formula with the ellipsoid's two radii of curvature at this latitude. */
function flatMeters(lat: number, northDegrees: number, eastDegrees: number) {
  const sine = Math.sin(lat * RADIANS);
  const bend = 1 - E2 * sine * sine;
  const across = A / Math.sqrt(bend);
  const along = (across * (1 - E2)) / bend;
  const north = northDegrees * RADIANS * along;
  const east = eastDegrees * RADIANS * across * Math.sqrt(1 - sine * sine);
  return Math.sqrt(north * north + east * east);
}

/** Lambert's formula: the spherical angle between reduced latitudes, corrected for the flattening. */
function curvedMeters(lat1: number, lat2: number, eastDegrees: number) {
  const beta1 = Math.atan((1 - F) * Math.tan(lat1 * RADIANS));
  const beta2 = Math.atan((1 - F) * Math.tan(lat2 * RADIANS));
  const north = Math.sin((beta2 - beta1) / 2);
  const east = Math.sin((eastDegrees * RADIANS) / 2);
  const half = Math.min(1, north * north + Math.cos(beta1) * Math.cos(beta2) * east * east);
  const angle = 2 * Math.asin(Math.sqrt(half));
  const mean = (beta1 + beta2) / 2;
  const sineMean = Math.sin(mean);
  const cosineMean = Math.cos(mean);
  const cosineNorth = Math.cos((beta2 - beta1) / 2);
  // At the antipode the first divisor and its dividend are zero.
  const opposite = 1 - half;
  const x = opposite > 1e-12 ? ((angle - Math.sin(angle)) * (sineMean * cosineNorth) ** 2) / opposite : 0;
  const y = ((angle + Math.sin(angle)) * (cosineMean * north) ** 2) / half;
  return Math.min(MAX_METERS, A * (angle - (F / 2) * (x + y)));
}
