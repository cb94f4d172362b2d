import type { Position } from "#shared/geometry/position.ts";
import type { NearZone } from "../object/watched-rule.ts";
import { contains } from "./contains.ts";
import { unwrapPosition } from "./grid/box.ts";

/**
 * A position on the step from `from` to `to` that is in the zone, and its share of the step from 0 to 1; null: the step
 * misses the zone.
 */
export function crossingOf(zone: NearZone, from: Position, to: Position): (Position & { share: number }) | null {
  const shares = sharesOf(zone, from, to).sort((a, b) => a - b);
  for (const share of shares) {
    const position = positionAt(from, to, share);
    if (contains(zone, position)) return { ...position, share };
  }
  return null;
}

/** Shares of the step to test: nearest to corners of the zone, at crossed edges, and between two of these. */
function sharesOf(zone: NearZone, from: Position, to: Position): number[] {
  const [startLng, startLat] = unwrapPosition(zone, from);
  const eastwards = eastOf(from, to);
  const northwards = to.lat - from.lat;
  const corners =
    zone.type === "circle"
      ? [unwrapPosition(zone, { lat: zone.south, lng: zone.west })]
      : (zone.points ?? []).map(([lng, lat]) => unwrapPosition(zone, { lat, lng }));
  // Scales degrees eastwards, so that distances count alike in all directions.
  const scale = Math.cos(((from.lat + to.lat) / 2) * (Math.PI / 180)) ** 2;
  const square = eastwards * eastwards * scale + northwards * northwards;
  if (square === 0) return [];
  const nearest = corners.map(([lng, lat]) =>
    clampShare(((lng - startLng) * eastwards * scale + (lat - startLat) * northwards) / square),
  );
  if (zone.type === "circle") return nearest;
  const holes = (zone.holes ?? []).map((hole) => hole.map(([lng, lat]) => unwrapPosition(zone, { lat, lng })));
  const edges = [corners, ...holes].flatMap((ring) => edgesOf(ring, zone.type === "polygon"));
  const crossed = edges
    .flatMap(([a, b]) => meetingShare([startLng, startLat], [eastwards, northwards], a, b))
    .sort((a, b) => a - b);
  const between = crossed.slice(1).map((share, index) => (share + (crossed[index] ?? share)) / 2);
  return zone.type === "polygon" ? [...crossed, ...between] : [...nearest, ...crossed];
}

type LngLat = [lng: number, lat: number];

function edgesOf(corners: LngLat[], isClosed: boolean): [LngLat, LngLat][] {
  const edges = corners.slice(1).map((corner, index): [LngLat, LngLat] => [corners[index] ?? corner, corner]);
  const [first, last] = [corners[0], corners.at(-1)];
  return isClosed && first && last ? [...edges, [last, first]] : edges;
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
