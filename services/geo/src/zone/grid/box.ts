import type { Position } from "#shared/geometry/position.ts";
import type { Bounds } from "../../point/bounds.ts";

/**
 * The box around positions in any order; its west is greater than its east if it crosses the date line. Of the two ways
 * around the earth it takes the narrower.
 */
export function boxOf(positions: Position[]): Bounds {
  const lats = extentOf(positions.map(({ lat }) => lat));
  const lngs = positions.map(({ lng }) => lng);
  const plain = extentOf(lngs);
  const across = extentOf(lngs.map(unwrapLongitude));
  // A box of half the earth or less never crosses by rounding errors.
  const crosses =
    plain.to - plain.from > 180 && across.to > across.from && across.to - across.from < plain.to - plain.from;
  const [west, east] = crosses
    ? [extentOf(lngs.filter((lng) => lng >= 0)).from, extentOf(lngs.filter((lng) => lng < 0)).to]
    : [plain.from, plain.to];
  return { south: lats.from, west, north: lats.to, east };
}

/** The box extended by `meters` on all sides, hardly more. */
export function padBox(box: Bounds, meters: number): Bounds {
  const angle = meters / MIN_EARTH_RADIUS_METERS;
  const latitudes = angle / RADIANS;
  const [south, north] = [box.south - latitudes, box.north + latitudes];
  const furthest = Math.max(Math.abs(box.south), Math.abs(box.north));
  const ratio = Math.sin(angle) / Math.cos(furthest * RADIANS);
  // Near a pole every longitude may be within the distance.
  if (south < -90 || north > 90 || ratio >= 1) return allLongitudes(Math.max(-90, south), Math.min(90, north));
  const longitudes = Math.asin(ratio) / RADIANS;
  if (widthOf(box) + 2 * longitudes >= 360) return allLongitudes(south, north);
  const [west, east] = [box.west - longitudes, box.east + longitudes];
  return { south, west: west < -180 ? west + 360 : west, north, east: east > 180 ? east - 360 : east };
}

export function widthOf({ west, east }: Bounds) {
  return west <= east ? east - west : east - west + 360;
}

/** The position in the box's coordinates: longitudes continue beyond 180 if the box crosses the date line. */
export function unwrapPosition({ west, east }: Bounds, { lat, lng }: Position): [lng: number, lat: number] {
  return [west > east ? unwrapLongitude(lng) : lng, lat];
}

function allLongitudes(south: number, north: number): Bounds {
  return { south, west: -180, north, east: 180 };
}

function unwrapLongitude(lng: number) {
  return lng < 0 ? lng + 360 : lng;
}

function extentOf(values: number[]) {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < from) from = value;
    if (value > to) to = value;
  }
  return { from, to };
}

const RADIANS = Math.PI / 180;
/** The smallest radius of curvature on the earth: along the meridian at the equator. */
const MIN_EARTH_RADIUS_METERS = 6_335_439;
