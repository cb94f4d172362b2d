import type { Schemas } from "../../../../clients/typescript/src/index.ts";

/** A row of a calibration curve: a value after the divider, and what it means. */
export type Bend = { in: number; out: number };
/** A value as a device sends it. */
export type RawValue = string | number | boolean | null | undefined;
export type Limits = { min?: number | null | undefined; max?: number | null | undefined };
export type VirtualRule = Pick<
  Extract<Schemas["NewSensor"], { type: "virtual" }>["parameters"],
  "calc_method" | "range_from" | "range_to" | "bit_index"
>;

/** The number of a raw value, which may be text; null when it is not a number. */
export function numberOf(raw: RawValue): number | null {
  if (typeof raw === "number") return raw;
  if (typeof raw === "boolean") return raw ? 1 : 0;
  if (typeof raw !== "string" || raw.trim() === "") return null;
  const value = raw === "true" ? 1 : raw === "false" ? 0 : Number(raw);
  return Number.isFinite(value) ? value : null;
}

/** The value by the curve, which is sorted: linear between its rows and beyond its ends; without rows the same value. */
export function calibrate(value: number, curve: readonly Bend[]): number {
  const [first, second] = curve;
  if (!first) return value;
  if (!second) return first.out;
  const found = curve.findIndex((bend, index) => index > 0 && value <= bend.in);
  const end = found === -1 ? curve.length - 1 : found;
  const [from, to] = [curve[end - 1] ?? first, curve[end] ?? second];
  return from.out + ((value - from.in) * (to.out - from.out)) / (to.in - from.in);
}

export function isWithin(raw: number, { min, max }: Limits): boolean {
  return (min ?? Number.NEGATIVE_INFINITY) <= raw && raw <= (max ?? Number.POSITIVE_INFINITY);
}

/** The value of a calculated sensor before its title; null when a number is required and the raw value is none. */
export function virtualValue(raw: RawValue, rule: VirtualRule): string | null {
  if (raw === null || raw === undefined) return null;
  if (rule.calc_method === "identity") return String(raw);
  const value = numberOf(raw);
  if (value === null) return null;
  if (rule.calc_method === "in_range") return isWithin(value, { min: rule.range_from, max: rule.range_to }) ? "1" : "0";
  // Division, since bit operations are limited to 32 bits.
  return Math.floor(Math.abs(value) / 2 ** ((rule.bit_index ?? 1) - 1)) % 2 === 1 ? "1" : "0";
}
