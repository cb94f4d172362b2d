import type { AddressedEvent } from "#shared/contract/fleet.ts";
import type { AddressLookup } from "../geocoder/geocode.ts";
import type { NumberedTrip } from "../object/trip.ts";
import type { Point } from "../point/point.ts";

/** The address of a point; empty if none is stored. */
export type PointAddress = (point: Pick<Point, "time">) => string;

/** Addresses of points: where a trip starts or ends, and where an event was recorded. */
export function pointAddresses(
  trips: NumberedTrip[],
  addressAt: AddressLookup,
  recorded: AddressedEvent[],
): PointAddress {
  const addresses = new Map(recorded.map(({ time, address }) => [time, address]));
  for (const { start_time, start_lat, start_lng, end_time, end_lat, end_lng } of trips) {
    addresses.set(start_time, addressAt(start_lat, start_lng));
    addresses.set(end_time, addressAt(end_lat, end_lng));
  }
  return ({ time }) => addresses.get(time) ?? "";
}
