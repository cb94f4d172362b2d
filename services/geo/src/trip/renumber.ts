import type { NumberedTrip, Trip } from "../object/trip.ts";

/**
 * Assigns recomputed trips the ids of the old ones that they overlap. Both lists are in time order and cover the same
 * time range. Merged trips get the lowest id; of a split trip the first part keeps the id, the others get new ids.
 */
export function renumber(
  old: NumberedTrip[],
  detected: Trip[],
  nextId: number,
): { trips: NumberedTrip[]; nextId: number } {
  const claimed = new Set<number>();
  let free = nextId;
  let first = 0;
  const trips = detected.map((trip) => {
    while (first < old.length && (old[first]?.end_time ?? 0) < trip.start_time) first++;
    let id: number | undefined;
    for (let index = first; index < old.length; index++) {
      const oldTrip = old[index];
      if (!oldTrip || oldTrip.start_time > trip.end_time) break;
      if (!claimed.has(oldTrip.id) && (id === undefined || oldTrip.id < id)) id = oldTrip.id;
    }
    id ??= free++;
    claimed.add(id);
    return { ...trip, id };
  });
  return { trips, nextId: free };
}
