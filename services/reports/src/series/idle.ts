import type { ReportTrip } from "#shared/contract/report-source.ts";
import type { TrackerData } from "../definition/tracker-data.ts";
import { ignitionOf } from "./ignition.ts";

/** Milliseconds of idling with the engine on for each trip; trips are in order. */
export async function computeIdleTimes(data: TrackerData, trips: ReportTrip[]): Promise<number[]> {
  const ignition = ignitionOf(await data.equipment());
  const idle = trips.map(() => 0);
  let index = 0;
  let wasIdle = false;
  for await (const page of data.points(ignition.attributes)) {
    for (const point of page) {
      while ((trips[index]?.end_time ?? Number.POSITIVE_INFINITY) < point.time) index++;
      const trip = trips[index];
      const isInside = trip !== undefined && point.follows && point.time - point.step_ms >= trip.start_time;
      if (wasIdle && isInside) idle[index] = (idle[index] ?? 0) + point.step_ms;
      wasIdle = point.speed < MAX_IDLE_KMH && ignition.isOn(point) !== false;
    }
  }
  return idle;
}

/** The default speed below which trips count as standing. */
const MAX_IDLE_KMH = 3;
