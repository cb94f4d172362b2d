import type { Position } from "#shared/contract/geocoder.ts";
import { metersBetween } from "#shared/geometry/distance.ts";

/** Who may be given work, and from where its distance is measured, if it is. */
export type Candidate = { tracker_id: number; from: Position | null };

/**
 * A tracker for each of the places. None gets more than its even share; within it each place, in their order, goes to the
 * nearest, among those that are as near to whoever has the least, then to the first.
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

/** From nowhere everything is as far. */
function metersTo({ lat, lng }: Position, { from }: Candidate) {
  return from ? metersBetween(from.lat, from.lng, lat, lng) : Number.POSITIVE_INFINITY;
}
