import { invalid } from "#shared/error/api-error.ts";

export const MAX_SPEED_KMH = 10_000;
export const MAX_ALTITUDE_M = 1_000_000;
export const MAX_PRECISION_M = 10_000_000;

/** Valid ranges of a point's numbers in `/ingest/points`. */
export const RANGES = {
  lat: [-90, 90],
  lng: [-180, 180],
  speed: [0, MAX_SPEED_KMH],
  heading: [0, 360],
  alt: [-MAX_ALTITUDE_M, MAX_ALTITUDE_M],
  satellites: [0, 255],
  precision: [0, MAX_PRECISION_M],
} as const;

/** A number, also one written as text; NaN for anything else, which is within no range. */
export function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.length <= MAX_NUMERAL_LENGTH && NUMERAL.test(value)
    ? Number(value)
    : Number.NaN;
}

export function requiredNumber(value: unknown, parameter: string, min: number, max: number): number {
  const number = numberOf(value);
  if (number >= min && number <= max) return number;
  throw invalid(parameter, `must be a number from ${min} to ${max}`);
}

export function optionalNumber(value: unknown, parameter: string, min: number, max: number): number | null {
  return isAbsent(value) ? null : requiredNumber(value, parameter, min, max);
}

/** Null for negative values, which phones send for unmeasured ones. */
export function measuredNumber(value: unknown, parameter: string, max: number): number | null {
  if (isAbsent(value)) return null;
  const number = numberOf(value);
  if (number < 0 && number > Number.NEGATIVE_INFINITY) return null;
  if (number >= 0 && number <= max) return number;
  throw invalid(parameter, `must be a number up to ${max}`);
}

/** Percent, from a level that equals `whole` when full. */
export function batteryLevel(value: unknown, parameter: string, whole: number): number | undefined {
  const level = measuredNumber(value, parameter, whole);
  return level === null ? undefined : Math.round((100 * level) / whole);
}

/** A boolean, also as text: `true`, `false`, `1` or `0`. */
export function optionalFlag(value: unknown, parameter: string): boolean | undefined {
  if (isAbsent(value)) return undefined;
  const text = String(value).toLowerCase();
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw invalid(parameter, "must be true or false");
}

const NUMERAL = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
// The pattern takes quadratic time for a long row of digits.
const MAX_NUMERAL_LENGTH = 40;

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
