import { isNearSegment } from "./near-segment.ts";
import { countZoneSteps } from "./zone-steps.ts";

type LngLat = [lng: number, lat: number];

/**
 * The edges of a ring or line by bands of latitude, so that a position is compared with few of them. Longitudes
 * continue over the date line.
 */
export class EdgeBands {
  readonly corners: LngLat[];
  /** Longitude and latitude of both ends of each edge. */
  #edges: Float64Array;
  /** Indexes of the edges that touch each band, and the first band that each edge touches. */
  #bands: number[][];
  #firstBands: number[] = [];
  #south = Number.POSITIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;

  constructor(corners: LngLat[], isClosed: boolean) {
    this.corners = corners;
    const edges = isClosed ? corners.length : Math.max(0, corners.length - 1);
    this.#edges = new Float64Array(4 * edges);
    for (const corner of corners) {
      this.#south = Math.min(this.#south, corner[1]);
      this.#north = Math.max(this.#north, corner[1]);
    }
    this.#bands = Array.from({ length: Math.min(MAX_BANDS, Math.max(1, edges >> 1)) }, () => []);
    for (let edge = 0; edge < edges; edge++) this.#addEdge(edge);
  }

  #addEdge(edge: number) {
    const [fromLng = 0, fromLat = 0] = this.corners[edge] ?? [];
    const [toLng = 0, toLat = 0] = this.corners[edge + 1] ?? this.corners[0] ?? [];
    this.#edges[4 * edge] = fromLng;
    this.#edges[4 * edge + 1] = fromLat;
    this.#edges[4 * edge + 2] = toLng;
    this.#edges[4 * edge + 3] = toLat;
    const [first, last] = [this.#bandAt(Math.min(fromLat, toLat)), this.#bandAt(Math.max(fromLat, toLat))];
    for (let band = first; band <= last; band++) this.#bands[band]?.push(edge);
    this.#firstBands.push(first);
    countZoneSteps(STEPS_PER_DISTANCE + last - first);
  }

  /** Whether the ring contains the position; undefined: it is on an edge, or too near to one to tell. */
  isInside(lng: number, lat: number): boolean | undefined {
    if (lat < this.#south || lat > this.#north) return false;
    const band = this.#bands[this.#bandAt(lat)] ?? [];
    countZoneSteps(band.length);
    const edges = this.#edges;
    let isInside = false;
    // Counts the edges that a line eastwards from the position crosses.
    for (const edge of band) {
      const from = (edges[4 * edge + 1] ?? 0) - lat;
      const to = (edges[4 * edge + 3] ?? 0) - lat;
      if ((from > 0 && to > 0) || (from < 0 && to < 0)) continue;
      const fromEast = (edges[4 * edge] ?? 0) - lng;
      const toEast = (edges[4 * edge + 2] ?? 0) - lng;
      if (fromEast < 0 && toEast < 0) continue;
      const [left, right] = [fromEast * to, toEast * from];
      const isCertain = Math.abs(left - right) > MAX_ROUNDING_RATIO * (Math.abs(left) + Math.abs(right));
      if (!isCertain && (fromEast <= 0 || toEast <= 0)) return undefined;
      if (from > 0 !== to > 0 && ((fromEast > 0 && toEast > 0) || left > right === to > from)) isInside = !isInside;
    }
    return isInside;
  }

  /** Whether any edge comes within `meters` of the position. Allocates nothing per edge, as rules test every point. */
  isNear(lng: number, lat: number, meters: number): boolean {
    const north = meters / MIN_METERS_PER_DEGREE;
    if (lat + north < this.#south || lat - north > this.#north) return false;
    const furthest = Math.abs(lat) + north;
    // Near a pole every longitude may be within the distance.
    const east = furthest > 89 ? 360 : north / Math.cos((furthest * Math.PI) / 180);
    const edges = this.#edges;
    const [first, last] = [this.#bandAt(lat - north), this.#bandAt(lat + north)];
    for (let band = first; band <= last; band++) {
      const inBand = this.#bands[band] ?? [];
      countZoneSteps(inBand.length);
      for (const edge of inBand) {
        // An edge of several bands is compared in the first of them.
        if (band > first && (this.#firstBands[edge] ?? 0) < band) continue;
        const [fromLng = 0, fromLat = 0] = [edges[4 * edge], edges[4 * edge + 1]];
        const [toLng = 0, toLat = 0] = [edges[4 * edge + 2], edges[4 * edge + 3]];
        if (isApart(fromLat, toLat, lat, north)) continue;
        // The edge may be nearer on the other side of the earth.
        const nearLng = lng + 360 * Math.round(((fromLng + toLng) / 2 - lng) / 360);
        if (east < MAX_COMPARED_DEGREES && isApart(fromLng, toLng, nearLng, east)) continue;
        countZoneSteps(STEPS_PER_DISTANCE);
        if (isNearSegment(lng, lat, fromLng, fromLat, toLng, toLat, meters)) return true;
      }
    }
    return false;
  }

  /** The edges that reach into the latitudes. */
  edgesBetween(south: number, north: number): [LngLat, LngLat][] {
    if (north < this.#south || south > this.#north) return [];
    const [first, last] = [this.#bandAt(south), this.#bandAt(north)];
    const found: [LngLat, LngLat][] = [];
    for (let band = first; band <= last; band++) {
      const inBand = this.#bands[band] ?? [];
      countZoneSteps(inBand.length);
      for (const edge of inBand) {
        if (band > first && (this.#firstBands[edge] ?? 0) < band) continue;
        const [from, to] = [this.corners[edge], this.corners[edge + 1] ?? this.corners[0]];
        if (from && to && !isApart(from[1], to[1], (south + north) / 2, (north - south) / 2)) found.push([from, to]);
      }
    }
    countZoneSteps(STEPS_PER_DISTANCE * found.length);
    return found;
  }

  #bandAt(lat: number) {
    const height = this.#north - this.#south;
    const band = height === 0 ? 0 : Math.floor(((lat - this.#south) / height) * this.#bands.length);
    return Math.max(0, Math.min(this.#bands.length - 1, band));
  }
}

/** Whether both ends are on the same side of `middle`, and more than `reach` away. */
function isApart(from: number, to: number, middle: number, reach: number) {
  return (from < middle - reach && to < middle - reach) || (from > middle + reach && to > middle + reach);
}

const MAX_BANDS = 64;
/** Below this part of the sum of two products the sign of their difference may be a rounding error. */
const MAX_ROUNDING_RATIO = 1e-15;
/** The shortest degree of latitude. */
const MIN_METERS_PER_DEGREE = 110_000;
/** Farther to the east the other side of the earth is as near. */
const MAX_COMPARED_DEGREES = 90;
/** Measuring a distance takes as long as comparing so many edges. */
export const STEPS_PER_DISTANCE = 20;
