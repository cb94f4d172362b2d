import { metersBetweenDegrees } from "#shared/geometry/distance.ts";
import type { Position } from "#shared/geometry/position.ts";
import type { NearZone } from "../object/watched-rule.ts";
import { bandsOf, contains } from "./contains.ts";
import { STEPS_PER_DISTANCE } from "./edge-bands.ts";
import { unwrapPosition } from "./grid/box.ts";
import { countZoneSteps } from "./zone-steps.ts";

/**
 * A position on the step from `from` to `to` that is in the zone, and its share of the step from 0 to 1; null: the step
 * misses the zone.
 */
export function crossingOf(zone: NearZone, from: Position, to: Position): (Position & { share: number }) | null {
  countZoneSteps(STEPS_PER_CROSSING);
  const shares = sharesOf(zone, from, to).sort((a, b) => a - b);
  for (const share of shares) {
    const position = positionAt(from, to, share);
    if (contains(zone, position)) return { ...position, share };
  }
  return null;
}

/**
 * Shares of the step to test: at crossed edges; of a polygon between two of these, of a sausage nearest to the corners
 * that are within its radius.
 */
function sharesOf(zone: NearZone, from: Position, to: Position): number[] {
  const start = unwrapPosition(zone, from);
  const [eastwards, northwards] = [eastOf(from, to), to.lat - from.lat];
  if (eastwards === 0 && northwards === 0) return [];
  if (zone.type === "circle") {
    const center = unwrapPosition(zone, { lat: zone.south, lng: zone.west });
    return [nearestShare(start, [eastwards, northwards], from.lat, center)];
  }
  const [south, north] = [Math.min(from.lat, to.lat), Math.max(from.lat, to.lat)];
  const rings = [zone.points ?? [], ...(zone.holes ?? [])].map((ring) => bandsOf(zone, ring));
  const crossed = rings
    .flatMap((bands) => bands.edgesBetween(south, north))
    .flatMap(([a, b]) => meetingShare(start, [eastwards, northwards], a, b))
    .sort((a, b) => a - b);
  if (zone.type === "polygon")
    return [...crossed, ...crossed.slice(1).map((share, index) => (share + (crossed[index] ?? share)) / 2)];
  const radius = zone.radius ?? 0;
  const reach = radius / MIN_METERS_PER_DEGREE;
  const nearCorners = (rings[0]?.corners ?? []).flatMap(([lng, lat]) => {
    if (lat < south - reach || lat > north + reach) return [];
    countZoneSteps(STEPS_PER_DISTANCE);
    const share = nearestShare(start, [eastwards, northwards], from.lat, [lng, lat]);
    const nearest = positionAt(from, to, share);
    return metersBetweenDegrees(nearest.lng, nearest.lat, lng, lat) <= radius ? [share] : [];
  });
  countZoneSteps(rings[0]?.corners.length ?? 0);
  return [...nearCorners, ...crossed];
}

type LngLat = [lng: number, lat: number];

/** The share of the step that is nearest to the position. */
function nearestShare([x, y]: LngLat, [dx, dy]: LngLat, fromLat: number, [lng, lat]: LngLat): number {
  // Scales degrees eastwards, so that distances count alike in all directions.
  const scale = Math.cos((fromLat + dy / 2) * (Math.PI / 180)) ** 2;
  const square = dx * dx * scale + dy * dy;
  return square === 0 ? 0 : clampShare(((lng - x) * dx * scale + (lat - y) * dy) / square);
}

/** The share of the step at which it meets the edge; empty: it does not. */
function meetingShare([x, y]: LngLat, [dx, dy]: LngLat, [ax, ay]: LngLat, [bx, by]: LngLat): number[] {
  const [ex, ey] = [bx - ax, by - ay];
  const determinant = dx * ey - dy * ex;
  if (determinant === 0) return [];
  const share = ((ax - x) * ey - (ay - y) * ex) / determinant;
  const along = ((ax - x) * dy - (ay - y) * dx) / determinant;
  return share >= 0 && share <= 1 && along >= 0 && along <= 1 ? [share] : [];
}

export function positionAt(from: Position, to: Position, share: number): Position {
  const lng = from.lng + share * eastOf(from, to);
  return { lat: from.lat + share * (to.lat - from.lat), lng: lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng };
}

/** Degrees eastwards, over the date line if that way is shorter. */
function eastOf(from: Position, to: Position) {
  const east = to.lng - from.lng;
  return east > 180 ? east - 360 : east < -180 ? east + 360 : east;
}

function clampShare(share: number) {
  return Math.max(0, Math.min(1, share));
}

/** Searching for a crossing takes, besides the edges, as long as comparing so many of them. */
const STEPS_PER_CROSSING = 60;
/** The shortest degree of latitude. */
const MIN_METERS_PER_DEGREE = 110_000;
