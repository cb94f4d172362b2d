import type { Principal } from "#shared/caller/principal.ts";
import type { GeoEnv } from "../env.ts";
import type { NumberedTrip } from "../object/trip.ts";

/** The number of events on each trip, with one call for all trips. */
export async function eventCounts({ FLEET }: GeoEnv, principal: Principal, tracker_id: number, trips: NumberedTrip[]) {
  const ranges = trips.map(({ start_time, end_time }): [number, number] => [start_time, end_time]);
  const counts = ranges.length === 0 ? [] : await FLEET.countEvents(principal, tracker_id, ranges);
  const ofTrip = new Map(trips.map(({ id }, index) => [id, counts[index] ?? 0]));
  return (trip_id: number) => ofTrip.get(trip_id) ?? 0;
}
