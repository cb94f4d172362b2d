import type { Schemas } from "../../../../clients/typescript/src/index.ts";

export type TrackPoint = Pick<Schemas["TrackPoint"], "lat" | "lng" | "get_time" | "speed" | "heading">;
/** A trip of `track/list` that has a beginning and an end. */
export type Trip = Extract<Schemas["Track"], { length: number }>;
/** The times of a trip, in UTC ms. */
export type TripTimes = { from: number; to: number };
/** Where a vehicle is at a moment. `lng` continues beyond 180 degrees where the track crosses the date line. */
export type TrackPosition = { lng: number; lat: number; heading: number; speedKmh: number; isInTrip: boolean };

const FIRST_CAPACITY = 4_096;
/** The default of a tracker's `idle_speed_threshold`. */
const MIN_SPEED_MOVING_KMH = 3;

/** A vehicle in a trip that is slower counts as stopped. */
export function isMovingAt(speedKmh: number): boolean {
  return speedKmh >= MIN_SPEED_MOVING_KMH;
}

/** The points of one vehicle in time order, in columns: a month has some 60,000 of them. */
export class Track {
  readonly trips: readonly TripTimes[];
  size = 0;
  /** All points were appended. */
  isComplete = false;
  times = new Float64Array(FIRST_CAPACITY);
  lngs = new Float64Array(FIRST_CAPACITY);
  lats = new Float64Array(FIRST_CAPACITY);
  speeds = new Float32Array(FIRST_CAPACITY);
  headings = new Float32Array(FIRST_CAPACITY);
  /** The index of each point's trip in `trips`. */
  tripOf = new Int32Array(FIRST_CAPACITY);

  constructor(trips: readonly TripTimes[]) {
    this.trips = trips;
  }

  /** Appends points that are later than those before; others, and points outside of all trips, are left out. */
  append(points: readonly TrackPoint[]) {
    this.#reserve(this.size + points.length);
    let trip = Math.max(this.tripOf[this.size - 1] ?? 0, 0);
    let last = this.times[this.size - 1] ?? Number.NEGATIVE_INFINITY;
    for (const point of points) {
      const time = Date.parse(point.get_time);
      while (trip < this.trips.length && (this.trips[trip]?.to ?? 0) < time) trip++;
      if (time <= last || time < (this.trips[trip]?.from ?? Number.POSITIVE_INFINITY)) continue;
      this.#put(point, time, trip);
      last = time;
    }
  }

  /** Whether the place at a moment is known, however many points are still to come. */
  isKnownAt(time: number): boolean {
    return this.isComplete || time <= (this.times[this.size - 1] ?? Number.NEGATIVE_INFINITY);
  }

  /** The index of the last point at or before a moment; -1 before the first one. */
  indexAt(time: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.times[middle] ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Where the vehicle is, between two points of a trip in proportion to the time; undefined while it has no points. */
  positionAt(time: number): TrackPosition | undefined {
    if (this.size === 0) return undefined;
    const index = this.indexAt(time);
    if (!this.isConnected(index + 1)) return this.#restingAt(Math.max(index, 0));
    const start = this.times[index] ?? 0;
    const share = (time - start) / ((this.times[index + 1] ?? 0) - start);
    const between = (values: Float64Array | Float32Array) => mix(values[index] ?? 0, values[index + 1] ?? 0, share);
    const turn = shortestTurn(this.headings[index] ?? 0, this.headings[index + 1] ?? 0);
    return {
      ...{ lng: between(this.lngs), lat: between(this.lats), speedKmh: between(this.speeds), isInTrip: true },
      heading: ((this.headings[index] ?? 0) + turn * share + 360) % 360,
    };
  }

  /** Whether the vehicle drove to this point from the one before, in the same trip. */
  isConnected(index: number): boolean {
    return index > 0 && index < this.size && this.tripOf[index] === this.tripOf[index - 1];
  }

  /** The point that is nearest to a position on the map. */
  nearest(lng: number, lat: number): number {
    const width = Math.cos((lat * Math.PI) / 180);
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.size; index++) {
      const distance = Math.hypot(((this.lngs[index] ?? 0) - lng) * width, (this.lats[index] ?? 0) - lat);
      if (distance >= least) continue;
      least = distance;
      best = index;
    }
    return best;
  }

  #restingAt(index: number): TrackPosition {
    const place = { lng: this.lngs[index] ?? 0, lat: this.lats[index] ?? 0 };
    return { ...place, heading: this.headings[index] ?? 0, speedKmh: 0, isInTrip: false };
  }

  #put(point: TrackPoint, time: number, trip: number) {
    const index = this.size++;
    const before = index > 0 ? (this.lngs[index - 1] ?? 0) : point.lng;
    this.times[index] = time;
    this.lngs[index] = point.lng - Math.round((point.lng - before) / 360) * 360;
    this.lats[index] = point.lat;
    this.speeds[index] = point.speed;
    this.headings[index] = point.heading;
    this.tripOf[index] = trip;
  }

  #reserve(size: number) {
    if (size <= this.times.length) return;
    const capacity = Math.max(size, this.times.length * 2);
    const grow = <Column extends Float64Array | Float32Array | Int32Array>(from: Column, to: Column) => {
      to.set(from);
      return to;
    };
    this.times = grow(this.times, new Float64Array(capacity));
    this.lngs = grow(this.lngs, new Float64Array(capacity));
    this.lats = grow(this.lats, new Float64Array(capacity));
    this.speeds = grow(this.speeds, new Float32Array(capacity));
    this.headings = grow(this.headings, new Float32Array(capacity));
    this.tripOf = grow(this.tripOf, new Int32Array(capacity));
  }
}

export function toTimes({ start_date, end_date }: Trip): TripTimes {
  return { from: Date.parse(start_date), to: Date.parse(end_date) };
}

function mix(one: number, other: number, share: number) {
  return one + (other - one) * share;
}

/** The turn from one heading to another, from -180 to 180 degrees. */
function shortestTurn(from: number, to: number) {
  return ((to - from + 540) % 360) - 180;
}
