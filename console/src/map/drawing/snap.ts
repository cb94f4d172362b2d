import type { LngLat } from "./shape.ts";

type Pixel = { x: number; y: number };
/** The lines and corners that a vertex may snap to; a closed one is a ring. */
export type SnapLine = { vertices: LngLat[]; isClosed: boolean };
type SnapOptions = { project(position: LngLat): Pixel; tolerance: number };

/** The corner within the tolerance (in pixels) that is nearest, or else the nearest position on an edge; undefined without one. */
export function snap(position: LngLat, lines: SnapLine[], { project, tolerance }: SnapOptions): LngLat | undefined {
  const at = project(position);
  return nearestCorner(at, lines, project, tolerance) ?? nearestOnEdge(at, lines, project, tolerance);
}

function nearestCorner(at: Pixel, lines: SnapLine[], project: SnapOptions["project"], tolerance: number) {
  let [best, least]: [LngLat | undefined, number] = [undefined, tolerance];
  for (const corner of lines.flatMap(({ vertices }) => vertices)) {
    const pixel = project(corner);
    const distance = Math.hypot(pixel.x - at.x, pixel.y - at.y);
    if (distance <= least) [best, least] = [corner, distance];
  }
  return best;
}

function nearestOnEdge(at: Pixel, lines: SnapLine[], project: SnapOptions["project"], tolerance: number) {
  let [best, least]: [LngLat | undefined, number] = [undefined, tolerance];
  for (const [from, to] of lines.flatMap(edgesOf)) {
    const [start, end] = [project(from), project(to)];
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const square = dx * dx + dy * dy;
    const along = square === 0 ? 0 : ((at.x - start.x) * dx + (at.y - start.y) * dy) / square;
    const share = Math.min(1, Math.max(0, along));
    const distance = Math.hypot(start.x + share * dx - at.x, start.y + share * dy - at.y);
    if (distance <= least)
      [best, least] = [[from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])], distance];
  }
  return best;
}

function edgesOf({ vertices, isClosed }: SnapLine): [LngLat, LngLat][] {
  const ends = isClosed ? [...vertices.slice(1), ...vertices.slice(0, 1)] : vertices.slice(1);
  return ends.map((end, index) => [vertices[index] ?? end, end]);
}
