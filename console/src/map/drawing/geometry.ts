import { type LngLat, nearTo, type Shape } from "./shape.ts";

export type Bounds = [west: number, south: number, east: number, north: number];

const EARTH_RADIUS_M = 6_371_000;
const EARTH_GIRTH_M = 40_075_016.686;
/** The width of the world at zoom 0. */
const WORLD_PX = 512;
const RADIANS = Math.PI / 180;
const CIRCLE_STEPS = 72;
/** The map ends near the poles. */
const MAX_LAT = 85;

/** The meters between two positions, along the earth's surface. */
export function metersBetween([lng1, lat1]: LngLat, [lng2, lat2]: LngLat): number {
  const dLat = (lat2 - lat1) * RADIANS;
  const dLng = (lng2 - lng1) * RADIANS;
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * Math.sin(dLng / 2) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The position that many meters away in a direction, in degrees from the north. Its longitude may lie beyond ±180. */
export function destination([lng, lat]: LngLat, meters: number, bearing: number): LngLat {
  const angle = meters / EARTH_RADIUS_M;
  const [from, course] = [lat * RADIANS, bearing * RADIANS];
  const to = Math.asin(Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(course));
  const turn = Math.atan2(
    Math.sin(course) * Math.sin(angle) * Math.cos(from),
    Math.cos(angle) - Math.sin(from) * Math.sin(to),
  );
  return [lng + turn / RADIANS, to / RADIANS];
}

/** A circle as a ring of a polygon. */
export function circleRing(center: LngLat, radius: number): LngLat[] {
  return Array.from({ length: CIRCLE_STEPS }, (_, step) => destination(center, radius, (360 * step) / CIRCLE_STEPS));
}

/** The width in pixels at zoom 0 of a corridor: each zoom doubles it. */
export function corridorWidth({ rings: [line = []], radius }: Shape): number {
  const lat = line.reduce((sum, [, one]) => sum + one, 0) / Math.max(line.length, 1);
  return (2 * radius * WORLD_PX) / (EARTH_GIRTH_M * Math.cos(lat * RADIANS));
}

/** The box around a shape with its radius; undefined for one without vertices. */
export function boundsOf({ type, rings, radius }: Shape): Bounds | undefined {
  const vertices = rings.flat();
  if (vertices.length === 0) return undefined;
  const outline = type === "polygon" ? vertices : vertices.flatMap((vertex) => around(vertex, radius));
  const [lngs, lats] = [outline.map(([lng]) => lng), outline.map(([, lat]) => lat)];
  return [leastOf(lngs), Math.max(-MAX_LAT, leastOf(lats)), greatestOf(lngs), Math.min(MAX_LAT, greatestOf(lats))];
}

/** The box around several boxes, each moved around the earth so that the whole is narrow. */
export function joinBounds(boxes: Bounds[]): Bounds | undefined {
  const [first] = boxes;
  if (!first) return undefined;
  return boxes.reduce((whole, [west, south, east, north]) => {
    const [moved] = nearTo([west, 0], [whole[0], 0]);
    const shift = moved - west;
    return [
      Math.min(whole[0], moved),
      Math.min(whole[1], south),
      Math.max(whole[2], east + shift),
      Math.max(whole[3], north),
    ];
  }, first);
}

/** A position inside the box of the shape, where its name stands. */
export function labelPosition(shape: Shape): LngLat | undefined {
  const [outline = []] = shape.rings;
  if (shape.type === "sausage") return outline[Math.floor(outline.length / 2)];
  if (shape.type === "circle") return outline[0];
  const box = boundsOf({ ...shape, rings: [outline] });
  return box && [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
}

/** The square meters that a shape covers; corridors without the overlap of their bends. */
export function areaOf({ type, rings, radius }: Shape): number {
  const [outline = [], ...holes] = rings;
  if (type === "circle") return Math.PI * radius ** 2;
  if (type === "sausage") return lengthOf(outline) * 2 * radius + Math.PI * radius ** 2;
  return Math.max(0, ringArea(outline) - holes.reduce((sum, hole) => sum + ringArea(hole), 0));
}

/** The meters along a line. */
export function lengthOf(line: LngLat[]): number {
  return line.reduce(
    (sum, vertex, index) => sum + (index > 0 ? metersBetween(line[index - 1] ?? vertex, vertex) : 0),
    0,
  );
}

function ringArea(ring: LngLat[]): number {
  const sum = ring.reduce((total, [lng, lat], index) => {
    const [nextLng, nextLat] = ring[(index + 1) % ring.length] ?? [lng, lat];
    return total + (nextLng - lng) * RADIANS * (2 + Math.sin(lat * RADIANS) + Math.sin(nextLat * RADIANS));
  }, 0);
  return Math.abs((sum * EARTH_RADIUS_M ** 2) / 2);
}

function around(vertex: LngLat, radius: number): LngLat[] {
  return [0, 90, 180, 270].map((bearing) => destination(vertex, radius, bearing));
}

function leastOf(values: number[]): number {
  return values.reduce((one, other) => Math.min(one, other));
}

function greatestOf(values: number[]): number {
  return values.reduce((one, other) => Math.max(one, other));
}
