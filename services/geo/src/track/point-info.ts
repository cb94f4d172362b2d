import type { Clock } from "#shared/time/clock.ts";
import type { PointAddress } from "./point-addresses.ts";
import type { PointInfo } from "./schema.ts";
import type { TrackPoint } from "./track-point.ts";

export function toPointInfo(
  { point, speed, meters, trip_id }: TrackPoint,
  clock: Pick<Clock, "write">,
  addressOf: PointAddress,
): PointInfo {
  return {
    lat: point.lat,
    lng: point.lng,
    // Unmeasured values are 0: the API has no null here.
    alt: point.alt ?? 0,
    satellites: point.satellites ?? 0,
    mileage: Math.round(meters) / 1000,
    get_time: clock.write(point.time),
    address: addressOf(point),
    heading: point.heading ?? 0,
    speed: Math.round(speed),
    precision: point.precision ?? undefined,
    gsm_lbs: point.gsm_lbs,
    parking: trip_id === null,
    buffered: point.buffered,
  };
}
