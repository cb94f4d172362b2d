import { type LngLat, nearTo } from "./shape.ts";

/** A position as the API has it. */
export type Position = { lat: number; lng: number };

/** About ten centimeters. */
const PARTS_PER_DEGREE = 1e6;

/** The position with a longitude between -180 and 180. */
export function toPosition([lng, lat]: LngLat): Position {
  const [wrapped] = nearTo([lng, lat], [0, 0]);
  return { lat: roundDegrees(lat), lng: roundDegrees(wrapped) };
}

export function toLngLat({ lat, lng }: Position): LngLat {
  return [lng, lat];
}

export function roundDegrees(degrees: number): number {
  return Math.round(degrees * PARTS_PER_DEGREE) / PARTS_PER_DEGREE;
}
