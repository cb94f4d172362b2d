import type { NearZone } from "../object/watched-rule.ts";
import { contains } from "./contains.ts";
import { unwrapPosition } from "./grid/box.ts";

type Position = { lat: number; lng: number };

/** A place of the step that is in the zone, and how far along it is, from 0 to 1; null where the step misses it. */
export function crossingOf(zone: NearZone, from: Position, to: Position): (Position & { share: number }) | null {
  const shares = sharesOf(zone, from, to).sort((a, b) => a - b);
  for (const share of shares) {
    const place = positionAt(from, to, share);
    if (contains(zone, place)) return { ...place, share };
  }
  return null;
}

/** Where the step comes nearest to corners of the figure, and between the edges that it crosses. */
function sharesOf(zone: NearZone, from: Position, to: Position): number[] {
  const [startLng, startLat] = unwrapPosition(zone, from);
  const eastwards = eastOf(from, to);
  const northwards = to.lat - from.lat;
  const corners =
    zone.type === "circle"
      ? [unwrapPosition(zone, { lat: zone.south, lng: zone.west })]
      : (zone.points ?? []).map(([lat, lng]) => unwrapPosition(zone, { lat, lng }));
  // So far to the east as to the north counts alike.
  const scale = Math.cos(((from.lat + to.lat) / 2) * (Math.PI / 180)) ** 2;
  const square = eastwards * eastwards * scale + northwards * northwards;
  if (square === 0) return [];
  const nearest = corners.map(([lng, lat]) =>
    clampShare(((lng - startLng) * eastwards * scale + (lat - startLat) * northwards) / square),
  );
  if (zone.type === "circle") return nearest;
  const holes = (zone.holes ?? []).map((hole) => hole.map(([lat, lng]) => unwrapPosition(zone, { lat, lng })));
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

/** Where along the step it meets the edge. */
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

/** Degrees to the east, over the date line where that is shorter. */
function eastOf(from: Position, to: Position) {
  const east = to.lng - from.lng;
  return east > 180 ? east - 360 : east < -180 ? east + 360 : east;
}

function clampShare(share: number) {
  return Math.max(0, Math.min(1, share));
}
