/** A position in degrees. A longitude may lie beyond ±180, so that a shape across the date line stays in one piece. */
export type LngLat = readonly [lng: number, lat: number];
export type ShapeType = "circle" | "polygon" | "sausage";

/**
 * The outline of an area. A polygon's `rings` are its outline and its holes, without the first corner repeated at the end; a
 * corridor has one ring, its line; a circle has one with its center. `radius`: meters, on each side of a corridor's line.
 */
export type Shape = { type: ShapeType; rings: LngLat[][]; radius: number };

export type VertexRef = { ring: number; index: number };
export type ShapeProblem = "tooFew" | "tooMany" | "holeTooFew" | "holesTooMany" | "radius" | "crossing" | "holeOutside";

export const MIN_VERTICES = 3;
export const MAX_RADIUS_M = 300_000;
/** The most vertices of an outline or a line; the holes of a polygon together may have as many as its outline. */
export const MAX_VERTICES: Record<ShapeType, number> = { circle: 1, polygon: 100, sausage: 1024 };

export function emptyShape(type: ShapeType, radius = 150): Shape {
  return { type, rings: [[]], radius };
}

export function vertexAt({ rings }: Shape, { ring, index }: VertexRef): LngLat | undefined {
  return rings[ring]?.[index];
}

/** Inserts a vertex before `index`, as close to the shape as a whole turn around the earth allows. */
export function insertVertex(shape: Shape, { ring, index }: VertexRef, position: LngLat): Shape {
  const vertices = shape.rings[ring] ?? [];
  const [reference] = vertices.length > 0 ? vertices.slice(-1) : (shape.rings[0] ?? []);
  const near = reference ? nearTo(position, reference) : position;
  return withRing(shape, ring, vertices.toSpliced(index, 0, near));
}

export function moveVertex(shape: Shape, { ring, index }: VertexRef, position: LngLat): Shape {
  const vertices = shape.rings[ring] ?? [];
  const last = vertices[index];
  if (!last) return shape;
  return withRing(shape, ring, vertices.with(index, nearTo(position, last)));
}

/** Removes a vertex; a hole that has none left goes with it. */
export function removeVertex(shape: Shape, { ring, index }: VertexRef): Shape {
  const vertices = (shape.rings[ring] ?? []).toSpliced(index, 1);
  if (vertices.length === 0 && ring > 0) return removeRing(shape, ring);
  return withRing(shape, ring, vertices);
}

export function removeRing(shape: Shape, ring: number): Shape {
  return { ...shape, rings: shape.rings.toSpliced(ring, 1) };
}

export function withRadius(shape: Shape, radius: number): Shape {
  return { ...shape, radius };
}

/** Why the shape cannot be stored, or would not be what it seems. */
export function problemsOf(shape: Shape): ShapeProblem[] {
  const { type, rings, radius } = shape;
  const [outline = [], ...holes] = rings;
  const problems: ShapeProblem[] = [];
  if (outline.length < (type === "circle" ? 1 : MIN_VERTICES)) problems.push("tooFew");
  if (outline.length > MAX_VERTICES[type]) problems.push("tooMany");
  if (type !== "polygon" && !(Number.isInteger(radius) && radius >= 1 && radius <= MAX_RADIUS_M))
    problems.push("radius");
  if (type !== "polygon") return problems;
  if (holes.some(({ length }) => length < MIN_VERTICES)) problems.push("holeTooFew");
  if (holes.reduce((sum, { length }) => sum + length, 0) > MAX_VERTICES.polygon) problems.push("holesTooMany");
  if (rings.some(crossesItself)) problems.push("crossing");
  if (outline.length >= MIN_VERTICES && holes.flat().some((vertex) => !isInRing(outline, vertex)))
    problems.push("holeOutside");
  return problems;
}

/** The problems that only warn: the server stores such a zone. */
export const WARNINGS: readonly ShapeProblem[] = ["crossing", "holeOutside"];

/** The position a whole number of turns around the earth away that is nearest to the reference. */
export function nearTo([lng, lat]: LngLat, [reference]: LngLat): LngLat {
  return [lng + 360 * Math.round((reference - lng) / 360), lat];
}

/** Whether two edges of a ring cross each other; edges with a common corner do not count. */
export function crossesItself(ring: LngLat[]): boolean {
  const count = ring.length;
  if (count < 4) return false;
  for (let one = 0; one < count; one++)
    for (let other = one + 2; other < count; other++) {
      if (one === 0 && other === count - 1) continue;
      if (cross(edgeOf(ring, one), edgeOf(ring, other))) return true;
    }
  return false;
}

/** Whether the position is inside the ring or on its edge. Edges are straight in degrees, as the server counts them. */
export function isInRing(ring: LngLat[], [lng, lat]: LngLat): boolean {
  let isInside = false;
  for (let index = 0; index < ring.length; index++) {
    const [[x1, y1], [x2, y2]] = edgeOf(ring, index);
    const area = (x2 - x1) * (lat - y1) - (y2 - y1) * (lng - x1);
    const isBetween = Math.min(x1, x2) <= lng && lng <= Math.max(x1, x2) && Math.min(y1, y2) <= lat;
    if (area === 0 && isBetween && lat <= Math.max(y1, y2)) return true;
    if (y1 > lat !== y2 > lat && lng < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1) isInside = !isInside;
  }
  return isInside;
}

type Edge = [LngLat, LngLat];

function edgeOf(ring: LngLat[], index: number): Edge {
  return [ring[index] ?? ORIGIN, ring[(index + 1) % ring.length] ?? ORIGIN];
}

function cross([a, b]: Edge, [c, d]: Edge): boolean {
  return sideOf(a, b, c) * sideOf(a, b, d) < 0 && sideOf(c, d, a) * sideOf(c, d, b) < 0;
}

function sideOf([x1, y1]: LngLat, [x2, y2]: LngLat, [x, y]: LngLat): number {
  return Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
}

function withRing(shape: Shape, ring: number, vertices: LngLat[]): Shape {
  const rings = shape.rings.length > ring ? shape.rings.with(ring, vertices) : [...shape.rings, vertices];
  return { ...shape, rings };
}

const ORIGIN: LngLat = [0, 0];
