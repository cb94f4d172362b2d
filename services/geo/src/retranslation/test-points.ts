import type { Point } from "../point/point.ts";

/** A point with everything that a device can tell, but for what is given. */
export function newPoint(more: Partial<Point> = {}): Point {
  return {
    time: Date.UTC(2026, 6, 9, 5, 50, 58),
    lat: 52.511,
    lng: 13.4125,
    speed: 46.4,
    heading: 271,
    alt: 34,
    satellites: 9,
    precision: 5,
    inputs: 5,
    gsm_lbs: false,
    buffered: false,
    attributes: null,
    ...more,
  };
}
