import { metersBetween } from "#shared/geometry/distance.ts";
import type { NumberedTrip } from "../object/trip.ts";

/** Groups consecutive single reports that are close to the first one; other trips stay alone. */
export function clusterReports(trips: NumberedTrip[], radiusMeters: number): NumberedTrip[][] {
  const groups: NumberedTrip[][] = [];
  for (const trip of trips) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (group && first && isLone(first) && isLone(trip) && metersApart(first, trip) <= radiusMeters) group.push(trip);
    else groups.push([trip]);
  }
  return groups;
}

function isLone({ kind }: NumberedTrip) {
  return kind === "single_report";
}

function metersApart(one: NumberedTrip, other: NumberedTrip) {
  return metersBetween(startOf(one), startOf(other));
}

function startOf({ start_lat, start_lng }: NumberedTrip) {
  return { lat: start_lat, lng: start_lng };
}
