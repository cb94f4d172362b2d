import { metersBetween } from "#shared/geometry/distance.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { Identity, Point } from "./point.ts";

/** A step that would need a higher speed is ignored: the receiver had lost its fix. */
export const MAX_POSSIBLE_SPEED_KMH = 300;

/** The previous point, with the members that the next one is measured with. */
export type PreviousPoint = Pick<Point, "time" | "lat" | "lng"> & {
  /** Its effective speed in km/h. */
  speed: number;
};

export type Step = {
  /** Meters from the previous point; 0 for the first point and for an ignored step. */
  meters: number;
  /** The effective speed: the reported one, else the step's, else the previous point's. */
  speedKmh: number;
  /** True if the speed was computed from the step, so that the step was driven. */
  isDriven: boolean;
};

/** Null also for a speed above the limit. */
export function reportedSpeedKmh({ speed }: Pick<Point, "speed">): number | null {
  return speed !== null && speed <= MAX_POSSIBLE_SPEED_KMH ? speed : null;
}

/** `distance`: meters between the two points, if the caller has it. */
export function measureStep(previous: PreviousPoint | null, point: Point, distance?: number): Step {
  const reported = reportedSpeedKmh(point);
  if (!previous) return { meters: 0, speedKmh: reported ?? 0, isDriven: false };

  const meters = distance ?? metersBetween(previous, point);
  const hours = (point.time - previous.time) / HOUR_MS;
  const possible = meters <= MAX_POSSIBLE_SPEED_KMH * 1000 * hours;
  if (reported !== null) return { meters: possible ? meters : 0, speedKmh: reported, isDriven: false };
  if (!possible || hours === 0) return { meters: 0, speedKmh: previous.speed, isDriven: false };
  return { meters, speedKmh: meters / 1000 / hours, isDriven: true };
}

/** Meters of a step; 0 if the step is ignored. `distance`: see `measureStep`. */
export function metersOfStep(previous: Identity, next: Identity, distance?: number): number {
  const meters = distance ?? metersBetween(previous, next);
  return meters <= MAX_POSSIBLE_SPEED_KMH * 1000 * ((next.time - previous.time) / HOUR_MS) ? meters : 0;
}

/** Meters from each point to the previous one; 0 for the first. */
export function distancesOf(points: Identity[]): Float64Array {
  const distances = new Float64Array(points.length);
  for (let index = 1; index < points.length; index++) {
    const [before, point] = [points[index - 1], points[index]];
    if (before && point) distances[index] = metersBetween(before, point);
  }
  return distances;
}

/**
 * Steps and speeds of sorted points that follow `previous`; `distances` are those of `distancesOf`, if the caller has
 * them.
 */
export function measurePoints(
  points: Point[],
  previous: PreviousPoint | null,
  distances?: Float64Array,
): { meters: Float64Array; speedsKmh: Float64Array } {
  const meters = new Float64Array(points.length);
  const speedsKmh = new Float64Array(points.length);
  const before = previous ? { ...previous } : { time: 0, lat: 0, lng: 0, speed: 0 };
  for (let index = 0; index < points.length; index++) {
    const point = points[index];
    if (!point) break;
    const step = measureStep(index > 0 || previous ? before : null, point, index > 0 ? distances?.[index] : undefined);
    meters[index] = step.meters;
    speedsKmh[index] = step.speedKmh;
    // One object for all steps, as this may run for a month of points.
    before.time = point.time;
    before.lat = point.lat;
    before.lng = point.lng;
    before.speed = step.speedKmh;
  }
  return { meters, speedsKmh };
}
