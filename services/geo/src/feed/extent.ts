import type { ChunkCatalogue } from "../chunk/catalogue.ts";
import type { Bounds } from "../point/bounds.ts";
import { type Point, pointsWithin } from "../point/point.ts";
import { boxOf } from "../zone/grid/box.ts";

/**
 * A box around all points of [from, to]. It may be too large: stored points are known only by the boxes of their
 * chunks.
 */
export function extentOf(open: Point[], chunks: ChunkCatalogue, from: number, to: number): Bounds | null {
  const touching = chunks
    .all()
    .slice(chunks.firstSince(from))
    .filter((chunk) => chunk.from <= to);
  const corners = touching.flatMap(({ south, west, north, east }) => [
    { lat: south, lng: west },
    { lat: north, lng: east },
  ]);
  const positions = [...corners, ...pointsWithin(open, from, to)];
  return positions.length === 0 ? null : boxOf(positions);
}
