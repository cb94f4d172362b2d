import type { ReportTrip } from "#shared/contract/report-source.ts";
import type { Source } from "../layout/sheet.ts";
import { sourceOf } from "../layout/source.ts";

type Place = ReportTrip["start"];
type Addressed = { lat: number; lng: number; address: string };
export type Stop = { start_time: number; end_time: number; place: Place; track_ids: number[] };

/** Applies the smart filter. */
export function withoutShort(trips: ReportTrip[], filter: boolean): ReportTrip[] {
  return filter ? trips.filter(({ is_short }) => !is_short) : trips;
}

/** Stops last from the end of a trip to the start of the next one. */
export function stopsBetween(trips: ReportTrip[]): Stop[] {
  return trips.slice(1).flatMap((next, index) => {
    const before = trips[index];
    if (!before) return [];
    const track_ids = [before.id, next.id];
    return { start_time: before.end_time, end_time: next.start_time, place: before.end, track_ids };
  });
}

/** Appends the coordinates to the address if they are wanted. */
export function appendCoordinates<Located extends Addressed>(place: Located, isWanted: boolean): Located {
  if (!isWanted) return place;
  const { lat, lng, address } = place;
  const coordinates = `${lat.toFixed(6)}, ${lng.toFixed(6)}`;
  return { ...place, address: address ? `${address} (${coordinates})` : coordinates };
}

type Driven = Pick<ReportTrip, "start_time" | "end_time" | "start" | "end" | "points"> & { track_ids: number[] };

export function sourceOfTrips({ track_ids, start_time, end_time, start, end, points }: Driven): Source {
  const ends = [
    { time: start_time, lat: start.lat, lng: start.lng },
    { time: end_time, lat: end.lat, lng: end.lng },
  ];
  return sourceOf({ track_ids, from: start_time, to: end_time, point_count: points, points: ends });
}

/** The evidence of a stop: the trips before and after it. */
export function sourceOfStop({ start_time, end_time, place: { lat, lng }, track_ids }: Stop): Source {
  return sourceOf({ track_ids, from: start_time, to: end_time, points: [{ time: start_time, lat, lng }] });
}
