import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TrackerData, TrackPoint } from "../definition/tracker-data.ts";
import type { Source } from "../layout/sheet.ts";
import { sourceOf } from "../layout/source.ts";

export type Violation = {
  start_time: number;
  end_time: number;
  /** The sum of the speeds, for the average. */
  speeds: number;
  points: number;
  peak: TrackPoint;
  /** Its first points, as evidence. */
  shown: { time: number; lat: number; lng: number }[];
};

/** Consecutive points above the limit; a silence ends a violation. */
export async function violationsOf(data: TrackerData, limitKmh: number): Promise<Violation[]> {
  const violations: Violation[] = [];
  let open: Violation | undefined;
  for await (const page of data.points()) {
    for (const point of page) {
      if (!point.follows || point.step_ms > MAX_SILENCE_MS) open = undefined;
      if (point.speed <= limitKmh) {
        open = undefined;
        continue;
      }
      if (!open) {
        open = { start_time: point.time, end_time: point.time, speeds: 0, points: 0, peak: point, shown: [] };
        violations.push(open);
      }
      addPoint(open, point);
    }
  }
  return violations;
}

function addPoint(violation: Violation, point: TrackPoint) {
  violation.end_time = point.time;
  violation.speeds += point.speed;
  violation.points++;
  if (point.speed > violation.peak.speed) violation.peak = point;
  if (violation.shown.length < MAX_POINTS) violation.shown.push({ time: point.time, lat: point.lat, lng: point.lng });
}

export function sourceOfViolation({ start_time, end_time, points, shown }: Violation): Source {
  return sourceOf({ from: start_time, to: end_time, point_count: points, points: shown });
}

const MAX_SILENCE_MS = 30 * MINUTE_MS;
const MAX_POINTS = 20;
