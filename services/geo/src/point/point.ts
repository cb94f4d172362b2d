/** A position of a device with its time. `storedPoint` rounds it to stored precision. */
export type Point = {
  /** UTC milliseconds by the device's clock. */
  time: number;
  lat: number;
  lng: number;
  /** km/h; null: not reported. */
  speed: number | null;
  heading: number | null;
  /** Meters above the sea. */
  alt: number | null;
  satellites: number | null;
  /** Meters. */
  precision: number | null;
  /** Bit mask; bit 0 is input 1. */
  inputs: number | null;
  gsm_lbs: boolean;
  buffered: boolean;
  attributes: Record<string, string | number | boolean> | null;
};

/** Members of a point whose sender measured only time and position. */
export const UNMEASURED = {
  speed: null,
  heading: null,
  alt: null,
  satellites: null,
  precision: null,
  inputs: null,
  gsm_lbs: false,
  buffered: false,
  attributes: null,
} satisfies Omit<Point, "time" | "lat" | "lng">;

/** The identity of a point: another point with these values is a duplicate. */
export type Identity = Pick<Point, "time" | "lat" | "lng">;

/** Rounds degrees to 1e-6, speeds to 0.1 km/h and everything else to whole numbers. */
export function storedPoint(point: Point): Point {
  return {
    time: Math.round(point.time),
    lat: roundTo(point.lat, 1e6),
    lng: roundTo(point.lng, 1e6),
    speed: point.speed === null ? null : roundTo(point.speed, 10),
    heading: roundToInteger(point.heading),
    alt: roundToInteger(point.alt),
    satellites: roundToInteger(point.satellites),
    precision: roundToInteger(point.precision),
    inputs: roundToInteger(point.inputs),
    gsm_lbs: point.gsm_lbs,
    buffered: point.buffered,
    attributes: point.attributes,
  };
}

/** By time, latitude and longitude: two positions at one time are two points. */
export function comparePoints(a: Identity, b: Identity): number {
  return a.time - b.time || a.lat - b.lat || a.lng - b.lng;
}

/** The index of the first of the sorted points that is not before `point`. */
export function lowerBound(points: Identity[], point: Identity): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = points[middle];
    if (there && comparePoints(there, point) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A position outside the earth that sorts before every point of the time. */
export function earliestAt(time: number): Identity {
  return { time, lat: -91, lng: -181 };
}

/** A position outside the earth that sorts after every point of the time. */
export function latestAt(time: number): Identity {
  return { time, lat: 91, lng: 181 };
}

/** The points of a sorted list after this one. */
export function pointsAfter<P extends Identity>(points: P[], point: Identity): P[] {
  let position = lowerBound(points, point);
  for (let there = points[position]; there && comparePoints(there, point) === 0; there = points[position]) position++;
  return points.slice(position);
}

/** The points of a sorted list within [from, to]. */
export function pointsWithin<P extends Identity>(points: P[], from: number, to: number): P[] {
  const start = lowerBound(points, earliestAt(from));
  const end = lowerBound(points, latestAt(to));
  return points.slice(start, end);
}

/** Merges two sorted lists; of duplicates the first list's point stays. */
export function mergePoints<P extends Identity>(kept: P[], added: P[]): P[] {
  const lastKept = kept.at(-1);
  const firstAdded = added[0];
  if (!firstAdded) return kept;
  if (!lastKept) return withoutRepeats(added);
  if (comparePoints(lastKept, firstAdded) < 0) return kept.concat(withoutRepeats(added));

  const merged: P[] = [];
  let next = 0;
  for (const point of withoutRepeats(added)) {
    let here = kept[next];
    while (here && comparePoints(here, point) < 0) {
      merged.push(here);
      here = kept[++next];
    }
    if (!here || comparePoints(here, point) !== 0) merged.push(point);
  }
  for (; next < kept.length; next++) {
    const here = kept[next];
    if (here) merged.push(here);
  }
  return merged;
}

/** The points of the first sorted list that are not in the second. */
export function withoutPoints<P extends Identity>(points: P[], removed: Identity[]): P[] {
  let next = 0;
  // Usually both begin with the same objects, which need no comparison.
  while (next < removed.length && removed[next] === points[next]) next++;
  if (next === removed.length) return points.slice(next);
  next = 0;
  return points.filter((point) => {
    let other = removed[next];
    while (other && comparePoints(other, point) < 0) other = removed[++next];
    return !other || comparePoints(other, point) !== 0;
  });
}

/** Drops duplicates from a sorted list. */
export function withoutRepeats<P extends Identity>(points: P[]): P[] {
  for (let index = 1; index < points.length; index++) {
    const point = points[index];
    if (point && isRepeat(points, point, index)) return points.filter((one, place) => !isRepeat(points, one, place));
  }
  return points;
}

function isRepeat(points: Identity[], point: Identity, index: number) {
  const before = points[index - 1];
  return before !== undefined && comparePoints(before, point) === 0;
}

function roundTo(value: number, scale: number) {
  // Adding zero turns -0, which no stored form has, into 0.
  return Math.round(value * scale) / scale + 0;
}

function roundToInteger(value: number | null) {
  return value === null ? null : Math.round(value) + 0;
}
