import type { Point } from "../point/point.ts";

/** The query of one point as OsmAnd sends it: speed in knots, whole times in seconds. */
export function osmandQuery(device_id: string, point: Point): [name: string, value: string][] {
  const { time, lat, lng, speed, heading, alt, precision, satellites, inputs, attributes } = point;
  const own: Record<string, string | number | null> = {
    id: device_id,
    timestamp: time % 1000 === 0 ? time / 1000 : time,
    lat,
    lon: lng,
    speed: speed === null ? null : Number((speed / KNOT_KMH).toFixed(3)),
    bearing: heading,
    altitude: alt,
    accuracy: precision,
    sat: satellites,
    inputs,
  };
  // Attributes must not replace standard parameters.
  const others = Object.entries(attributes ?? {}).filter(([name]) => !(name in own) && !RESERVED.has(name));
  return [...Object.entries(own), ...others].flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)] as [string, string]],
  );
}

/** The body of `/ingest/points`. */
export function jsonBody(device_id: string, points: Point[]): string {
  return JSON.stringify({ device_id, points: points.map(toJsonPoint) });
}

/** Leaves out unknown members. */
function toJsonPoint({ time, inputs, gsm_lbs, buffered, ...values }: Point) {
  const known = Object.entries(values).filter(([, value]) => value !== null);
  return {
    time: new Date(time).toISOString(),
    ...Object.fromEntries(known),
    ...(inputs !== null && { inputs: flagsOf(inputs) }),
    ...(gsm_lbs && { gsm_lbs }),
    ...(buffered && { buffered }),
  };
}

/** Item 0 is input 1. At least eight items; more only up to the highest input that is on. */
function flagsOf(mask: number): boolean[] {
  const count = Math.max(MIN_INPUTS, 32 - Math.clz32(mask));
  return Array.from({ length: count }, (_, bit) => ((mask >>> bit) & 1) === 1);
}

const KNOT_KMH = 1.852;
const MIN_INPUTS = 8;
/** Attribute names with another meaning for the receiver. */
const RESERVED = new Set(["deviceid", "device_id", "location", "heading", "valid", "key"]);
