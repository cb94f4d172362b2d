import type { NumberedTrip } from "../object/trip.ts";

/** The positions where a trip starts and ends. */
export function endPositionsOf({ start_lat, start_lng, end_lat, end_lng }: NumberedTrip) {
  return [
    { lat: start_lat, lng: start_lng },
    { lat: end_lat, lng: end_lng },
  ];
}
