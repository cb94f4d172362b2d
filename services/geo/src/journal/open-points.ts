import type { ChunkCatalogue } from "../chunk/catalogue.ts";
import { parseState } from "../chunk/catalogue.ts";
import { lastOf } from "../chunk/plan.ts";
import type { OpenPoints } from "../object/open-points.ts";
import { encodePoints } from "../point/codec.ts";
import { type Point, pointsWithin } from "../point/point.ts";

/** Open points up to `to`, beginning after the last chunk before `from`. */
export function openPointsWithin(open: Point[], chunks: ChunkCatalogue, from: number, to: number): OpenPoints {
  const index = chunks.firstSince(from) - 1;
  const chunk = chunks.all()[index];
  const speed = parseState(chunks.stateAfter(chunk))?.last?.speed ?? 0;
  const anchor = chunk ? { ...lastOf(chunk), speed, meters: chunks.metersUntil(index) } : null;
  const points = pointsWithin(open, anchor?.time ?? Number.NEGATIVE_INFINITY, to);
  return { points: encodePoints(points, "raw"), anchor };
}
