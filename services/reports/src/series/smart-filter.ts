import type { ReportTrip } from "#shared/contract/report-source.ts";
import type { TrackerData, TrackPoint } from "../definition/tracker-data.ts";
import { Movement } from "./on-intervals.ts";
import { withoutShort } from "./trips.ts";

/** The data without short trips: movement during them was drift, so it counts neither as distance nor as a trip. */
export async function withoutDrift(data: TrackerData, filter: boolean): Promise<TrackerData> {
  // The step to the first point of a trip is not part of the trip.
  const standing = (point: TrackPoint, { start_time }: ReportTrip) =>
    point.time > start_time ? { ...point, step_meters: 0 } : point;
  return changeShortTrips(data, filter, standing);
}

/** The data without the points of short trips. */
export async function withoutDriftPoints(data: TrackerData, filter: boolean): Promise<TrackerData> {
  return changeShortTrips(data, filter, () => null);
}

async function changeShortTrips(
  data: TrackerData,
  filter: boolean,
  change: (point: TrackPoint, trip: ReportTrip) => TrackPoint | null,
): Promise<TrackerData> {
  const trips = filter ? await data.allTrips() : [];
  const short = trips.filter(({ is_short }) => is_short);
  if (short.length === 0) return data;
  return {
    ...data,
    allTrips: async () => withoutShort(trips, true),
    async *points(attributes) {
      const drift = new Movement(short);
      for await (const page of data.points(attributes)) {
        yield page.flatMap((point) => {
          const trip = drift.tripAt(point.time);
          return trip ? (change(point, trip) ?? []) : point;
        });
      }
    },
  };
}
