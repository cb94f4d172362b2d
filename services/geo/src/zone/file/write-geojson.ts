import { bboxClip } from "@turf/bbox-clip";
import { rewind } from "@turf/rewind";
import type { Position } from "#shared/geometry/position.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { boxOf, unwrapPosition } from "../grid/box.ts";
import type { Zone } from "../schema.ts";

type LngLat = [lng: number, lat: number];
/** One side of the date line: its bounds in continued longitudes, and how far they are shifted. */
type Hemisphere = { bounds: [west: number, south: number, east: number, north: number]; shiftDegrees: number };

/**
 * A GeoJSON document (RFC 7946) with a feature for each zone. The next page is read when the previous one is written.
 */
export async function* geoJsonOf(first: Page<Zone>): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let separator = "";
  for (let page: Page<Zone> | undefined = first; page; page = await page.next?.()) {
    for (const zone of page.items) {
      yield separator + JSON.stringify(featureOf(zone));
      separator = ",";
    }
  }
  yield "]}";
}

export function featureOf(zone: Zone): object {
  const { id, label: name, type, address, color, radius } = zone;
  return { type: "Feature", id, geometry: geometryOf(zone), properties: { name, type, address, color, radius } };
}

/** The geometry of a zone, cut in two at the date line (RFC 7946, 3.1.9). */
function geometryOf({ type, center, points = [], holes = [] }: Zone) {
  if (type === "circle") return { type: "Point", coordinates: center ? [center.lng, center.lat] : [] };
  const box = boxOf(points);
  const unwrap = (positions: Position[]) => positions.map((position) => unwrapPosition(box, position));
  const hemispheres = box.west > box.east ? HEMISPHERES : HEMISPHERES.slice(0, 1);
  if (type === "sausage") return joinParts("LineString", hemispheres.flatMap(clipLines(unwrap(points))));
  return joinParts(
    "Polygon",
    hemispheres.flatMap(clipPolygon([points, ...holes].map((ring) => closeRing(unwrap(ring))))),
  );
}

function joinParts<Part>(type: string, parts: Part[]) {
  return parts.length === 1 ? { type, coordinates: parts[0] } : { type: `Multi${type}`, coordinates: parts };
}

function clipLines(line: LngLat[]) {
  return ({ bounds, shiftDegrees }: Hemisphere): LngLat[][] => {
    const { type, coordinates } = bboxClip({ type: "LineString", coordinates: line }, bounds).geometry;
    const parts = type === "LineString" ? [coordinates] : coordinates;
    return (parts as LngLat[][]).filter(hasLength).map((part) => shiftWest(part, shiftDegrees)); // clipping keeps lines
  };
}

/** A clipped part may be a single position on the border, which is no line. */
function hasLength(part: LngLat[]) {
  return part.some(([lng, lat]) => lng !== part[0]?.[0] || lat !== part[0]?.[1]);
}

/** Outlines run counterclockwise and holes clockwise (RFC 7946, 3.1.6). */
function clipPolygon(rings: LngLat[][]) {
  return ({ bounds, shiftDegrees }: Hemisphere): LngLat[][][] => {
    const part = bboxClip({ type: "Polygon", coordinates: rings }, bounds).geometry;
    if (part.coordinates.length === 0) return [];
    const { coordinates } = rewind(part) as typeof part; // the same type as the argument
    return [(coordinates as LngLat[][]).map((ring) => shiftWest(ring, shiftDegrees))];
  };
}

function closeRing(ring: LngLat[]): LngLat[] {
  return [...ring, ...ring.slice(0, 1)];
}

function shiftWest(part: LngLat[], shiftDegrees: number) {
  return part.map(([lng, lat]): LngLat => [lng - shiftDegrees, lat]);
}

/** The world west of the date line, and the continued longitudes east of it. */
const HEMISPHERES: Hemisphere[] = [
  { bounds: [-180, -90, 180, 90], shiftDegrees: 0 },
  { bounds: [180, -90, 540, 90], shiftDegrees: 360 },
];
