import type { Identity } from "./point.ts";

/** The identities of a chunk's points, 16 bytes each. */
export type Identities = { time: Float64Array; lat: Int32Array; lng: Int32Array };

/** Degrees are compared and stored as multiples of 1e-6. */
export const DEGREES = 1e6;

export function identitiesOf(points: Identity[]): Identities {
  const all = {
    time: new Float64Array(points.length),
    lat: new Int32Array(points.length),
    lng: new Int32Array(points.length),
  };
  for (let index = 0; index < points.length; index++) {
    const point = points[index];
    if (!point) break;
    all.time[index] = point.time;
    all.lat[index] = Math.round(point.lat * DEGREES);
    all.lng[index] = Math.round(point.lng * DEGREES);
  }
  return all;
}

export function holdsPoint({ time, lat, lng }: Identities, point: Identity): boolean {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((time[middle] ?? 0) < point.time) low = middle + 1;
    else high = middle;
  }
  const wholeLat = Math.round(point.lat * DEGREES);
  const wholeLng = Math.round(point.lng * DEGREES);
  for (; time[low] === point.time; low++) {
    if (lat[low] === wholeLat && lng[low] === wholeLng) return true;
  }
  return false;
}
