import { metersBetween } from "#shared/geometry/distance.ts";
import type { Position } from "#shared/geometry/position.ts";

/** A tracker that tasks may be assigned to. Distances are measured from `from`; null measures none. */
export type Candidate = { tracker_id: number; from: Position | null };

/**
 * A tracker for each location. Each tracker gets at most an even share; within it, each location in order goes to the
 * nearest candidate, among equally near ones to the one with the fewest, then to the first.
 */
export function assignTrackers(locations: Position[], candidates: Candidate[]): number[] {
  const share = Math.ceil(locations.length / candidates.length);
  const crew = candidates.map((candidate) => ({ ...candidate, given: 0 }));
  return locations.flatMap((location) => {
    let [best, bestMeters] = [crew[0], Number.POSITIVE_INFINITY];
    for (const candidate of crew) {
      if (candidate.given === share) continue;
      const meters = metersTo(location, candidate);
      const isNearer = meters < bestMeters || (meters === bestMeters && candidate.given < (best?.given ?? 0));
      if (isNearer || best?.given === share) [best, bestMeters] = [candidate, meters];
    }
    if (!best) return [];
    best.given += 1;
    return [best.tracker_id];
  });
}

/** Infinite without a position. */
function metersTo(location: Position, { from }: Candidate) {
  return from ? metersBetween(from, location) : Number.POSITIVE_INFINITY;
}
