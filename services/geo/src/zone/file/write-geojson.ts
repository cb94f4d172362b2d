import { bboxClip } from "@turf/bbox-clip";
import { rewind } from "@turf/rewind";
import type { Page } from "#shared/operation/list-answer.ts";
import { boxOf, unwrapPosition } from "../grid/box.ts";
import type { Zone } from "../schema.ts";

type LngLat = [lng: number, lat: number];
type Position = { lat: number; lng: number };
/** What of the longitudes that run on over the date line is on it, and by how much they have run on. */
type Hemisphere = { bounds: [west: number, south: number, east: number, north: number]; shiftDegrees: number };

/** A document as RFC 7946 has it, a feature for each zone; the next page is asked for when the one before is written. */
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

/** What crosses the date line is cut there into parts. */
function geometryOf({ type, center, points = [], holes = [] }: Zone) {
  if (type === "circle") return { type: "Point", coordinates: center ? [center.lng, center.lat] : [] };
  const box = boxOf(points);
  const seen = (places: Position[]) => places.map((place) => unwrapPosition(box, place));
  const sides = box.west > box.east ? HEMISPHERES : HEMISPHERES.slice(0, 1);
  if (type === "sausage") return joinParts("LineString", sides.flatMap(clipLines(seen(points))));
  return joinParts("Polygon", sides.flatMap(clipPolygon([points, ...holes].map((ring) => closeRing(seen(ring))))));
}

function joinParts<Part>(type: string, parts: Part[]) {
  return parts.length === 1 ? { type, coordinates: parts[0] } : { type: `Multi${type}`, coordinates: parts };
}

function clipLines(line: LngLat[]) {
  return ({ bounds, shiftDegrees }: Hemisphere): LngLat[][] => {
    const { type, coordinates } = bboxClip({ type: "LineString", coordinates: line }, bounds).geometry;
    const parts = type === "LineString" ? [coordinates] : coordinates;
    return (parts as LngLat[][]).filter(hasLength).map((part) => shiftWest(part, shiftDegrees)); // of lines, lines are left
  };
}

/** It may end on the border without a step on this side of it. */
function hasLength(part: LngLat[]) {
  return part.some(([lng, lat]) => lng !== part[0]?.[0] || lat !== part[0]?.[1]);
}

/** Outlines turn to the left and holes to the right. */
function clipPolygon(rings: LngLat[][]) {
  return ({ bounds, shiftDegrees }: Hemisphere): LngLat[][][] => {
    const part = bboxClip({ type: "Polygon", coordinates: rings }, bounds).geometry;
    if (part.coordinates.length === 0) return [];
    const { coordinates } = rewind(part) as typeof part; // a geometry where one is given
    return [(coordinates as LngLat[][]).map((ring) => shiftWest(ring, shiftDegrees))];
  };
}

function closeRing(ring: LngLat[]): LngLat[] {
  return [...ring, ...ring.slice(0, 1)];
}

function shiftWest(part: LngLat[], turn: number) {
  return part.map(([lng, lat]): LngLat => [lng - turn, lat]);
}

/** The world to the west of the date line, and what lies behind it. */
const HEMISPHERES: Hemisphere[] = [
  { bounds: [-180, -90, 180, 90], shiftDegrees: 0 },
  { bounds: [180, -90, 540, 90], shiftDegrees: 360 },
];
