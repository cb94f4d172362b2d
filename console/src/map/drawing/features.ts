import type { Feature, FeatureCollection, Point, Position } from "geojson";
import type { Sketch } from "./drawing.ts";
import { circleRing, corridorWidth, destination, labelPosition } from "./geometry.ts";
import { type LngLat, MIN_VERTICES, type Shape, type VertexRef } from "./shape.ts";

/** A shape on the map with its name: a zone or a place. */
export type Area = { id: number; label: string; color: string; shape: Shape };
/** A spot that can be dragged: a vertex, the middle of an edge, or the handle of a circle's radius. */
export type Handle = { kind: "vertex" | "middle" | "radius"; at: VertexRef; position: LngLat };

export const EMPTY: FeatureCollection = { type: "FeatureCollection", features: [] };

export function collect(features: Feature[]): FeatureCollection {
  return { type: "FeatureCollection", features };
}

/** The shape as the map takes it: a corridor is a line with a `width`; a ring that is being drawn is a line, too. */
export function toFeatures({ type, rings, radius }: Shape, properties: object = {}): Feature[] {
  const [outline = [], ...holes] = rings;
  const [first] = outline;
  if (!first) return [];
  if (type === "circle") return [polygon([circleRing(first, radius)], properties)];
  if (type === "sausage") {
    if (outline.length < 2) return [];
    return [line(outline, { ...properties, width: corridorWidth({ type, rings, radius }) })];
  }
  const isRing = ({ length }: readonly LngLat[]) => length >= MIN_VERTICES;
  const unfinished = rings.filter((ring) => ring.length === 2).map((ring) => line(ring, { ...properties, width: 0 }));
  if (!isRing(outline)) return unfinished;
  return [polygon([outline, ...holes.filter(isRing)], properties), ...unfinished];
}

/** Each area with its color, and a point with its name. */
export function toAreaFeatures(areas: Area[], highlighted: number | undefined) {
  const shapes: Feature[] = [];
  const labels: Feature<Point>[] = [];
  for (const { id, label, color, shape } of areas) {
    const properties = { id, label, color: `#${color}`, highlighted: id === highlighted };
    shapes.push(...toFeatures(shape, properties));
    const position = labelPosition(shape);
    if (position) labels.push(point(position, properties));
  }
  return { shapes: collect(shapes), labels: collect(labels) };
}

/** The vertices of a sketch, the middles of edges while none is drawn, and the handle of a circle's radius. */
export function handlesOf({ shape, drawnRing }: Sketch): Handle[] {
  const vertices = shape.rings.flatMap((ring, number) =>
    ring.map((position, index): Handle => ({ kind: "vertex", at: { ring: number, index }, position })),
  );
  if (shape.type === "circle") {
    const [center] = shape.rings[0] ?? [];
    const at = { ring: 0, index: 0 };
    return center ? [{ kind: "radius", at, position: destination(center, shape.radius, 90) }, ...vertices] : [];
  }
  return drawnRing === undefined
    ? [...vertices, ...shape.rings.flatMap((_, ring) => middlesOf(shape, ring))]
    : vertices;
}

export function toHandleFeatures(sketch: Sketch, selected: VertexRef | undefined): FeatureCollection {
  return collect(
    handlesOf(sketch).map(({ kind, at, position }) => {
      const isSelected = kind === "vertex" && at.ring === selected?.ring && at.index === selected.index;
      return point(position, { kind: isSelected ? "selected" : kind });
    }),
  );
}

/** The line from the last drawn vertex to the pointer, and back to the first one of a ring. */
export function toGuide({ shape, drawnRing }: Sketch, pointer: LngLat | undefined): FeatureCollection {
  const ring = drawnRing === undefined ? [] : (shape.rings[drawnRing] ?? []);
  const [first, last] = [ring[0], ring.at(-1)];
  if (!pointer || !first || !last || shape.type === "circle") return EMPTY;
  const closes = shape.type === "polygon" && ring.length > 1;
  return collect([line(closes ? [last, pointer, first] : [last, pointer], {})]);
}

export function toPoints(positions: LngLat[]): FeatureCollection {
  return collect(positions.map((position) => point(position, {})));
}

function middlesOf({ type, rings }: Shape, ring: number): Handle[] {
  const vertices = rings[ring] ?? [];
  const ends = type === "polygon" ? [...vertices.slice(1), ...vertices.slice(0, 1)] : vertices.slice(1);
  return ends.map((end, index) => {
    const [lng, lat] = vertices[index] ?? end;
    return { kind: "middle", at: { ring, index: index + 1 }, position: [(lng + end[0]) / 2, (lat + end[1]) / 2] };
  });
}

function polygon(rings: LngLat[][], properties: object): Feature {
  const coordinates = rings.map((ring) => [...ring, ...ring.slice(0, 1)].map(toPosition));
  return { type: "Feature", geometry: { type: "Polygon", coordinates }, properties };
}

function line(vertices: LngLat[], properties: object): Feature {
  return { type: "Feature", geometry: { type: "LineString", coordinates: vertices.map(toPosition) }, properties };
}

function point(position: LngLat, properties: object): Feature<Point> {
  return { type: "Feature", geometry: { type: "Point", coordinates: toPosition(position) }, properties };
}

function toPosition([lng, lat]: LngLat): Position {
  return [lng, lat];
}
