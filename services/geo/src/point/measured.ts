import { metersBetween } from "#shared/geometry/distance.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import type { Identity, Point } from "./point.ts";

/** A step that needs more than this did not happen: a receiver lost its fix, or found it again. */
export const MAX_POSSIBLE_SPEED_KMH = 300;

/** The point before, as far as the next one is measured against it. */
export type PreviousPoint = Pick<Point, "time" | "lat" | "lng"> & {
  /** Its effective speed in km/h. */
  speed: number;
};

export type Step = {
  /** From the point before; 0 for the first point and for a step that did not happen. */
  meters: number;
  /** Effective speed in km/h: the reported one, else the step's, else that of the point before. */
  speed: number;
  /** The speed was taken from the step: between the two points it was driven. */
  isDriven: boolean;
};

/** In km/h. One above the limit counts as not reported. */
export function reportedSpeed({ speed }: Pick<Point, "speed">): number | null {
  return speed !== null && speed <= MAX_POSSIBLE_SPEED_KMH ? speed : null;
}

/** `distance` is that of the two, in meters, where the caller has it. */
export function measureStep(previous: PreviousPoint | null, point: Point, distance?: number): Step {
  const reported = reportedSpeed(point);
  if (!previous) return { meters: 0, speed: reported ?? 0, isDriven: false };

  const meters = distance ?? metersBetween(previous.lat, previous.lng, point.lat, point.lng);
  const hours = (point.time - previous.time) / HOUR_MS;
  const possible = meters <= MAX_POSSIBLE_SPEED_KMH * 1000 * hours;
  if (reported !== null) return { meters: possible ? meters : 0, speed: reported, isDriven: false };
  if (!possible || hours === 0) return { meters: 0, speed: previous.speed, isDriven: false };
  return { meters, speed: meters / 1000 / hours, isDriven: true };
}

/** Meters of a step; 0 where it did not happen. `distance` as for `measureStep`. */
export function metersOfStep(previous: Identity, next: Identity, distance?: number): number {
  const meters = distance ?? metersBetween(previous.lat, previous.lng, next.lat, next.lng);
  return meters <= MAX_POSSIBLE_SPEED_KMH * 1000 * ((next.time - previous.time) / HOUR_MS) ? meters : 0;
}

/** How many meters each point is away from the one before; 0 for the first. */
export function distancesOf(points: Identity[]): Float64Array {
  const distances = new Float64Array(points.length);
  for (let index = 1; index < points.length; index++) {
    const [before, point] = [points[index - 1], points[index]];
    if (before && point) distances[index] = metersBetween(before.lat, before.lng, point.lat, point.lng);
  }
  return distances;
}

/** Steps and speeds of sorted points that follow `previous`; `distances` are theirs, where the caller has them. */
export function measurePoints(
  points: Point[],
  previous: PreviousPoint | null,
  distances?: Float64Array,
): { meters: Float64Array; speed: Float64Array } {
  const meters = new Float64Array(points.length);
  const speed = new Float64Array(points.length);
  const before = previous ? { ...previous } : { time: 0, lat: 0, lng: 0, speed: 0 };
  for (let index = 0; index < points.length; index++) {
    const point = points[index];
    if (!point) break;
    const step = measureStep(index > 0 || previous ? before : null, point, index > 0 ? distances?.[index] : undefined);
    meters[index] = step.meters;
    speed[index] = step.speed;
    // One object for all steps, as a month of points is measured so.
    before.time = point.time;
    before.lat = point.lat;
    before.lng = point.lng;
    before.speed = step.speed;
  }
  return { meters, speed };
}
