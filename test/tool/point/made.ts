import { type Point, storedPoint, UNMEASURED } from "../../../services/geo/src/point/point.ts";

/** A point with these members, and with plain values for all others. */
export function pointAt(seconds: number, given: Partial<Point> = {}): Point {
  const time = Date.UTC(2024, 4, 2, 8) + seconds * 1000;
  return storedPoint({ ...UNMEASURED, lat: 50, lng: 8, time, ...given });
}

/** A point with every member that a device can report; `more` replaces some of them. */
export function fullPoint(more: Partial<Point> = {}): Point {
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
