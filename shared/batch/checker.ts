import * as z from "zod";
import type { Offence } from "#shared/error/api-error.ts";
import { isStorableText, numberOf, readerOf } from "#shared/operation/parameters.ts";
import type { Clock } from "#shared/time/clock.ts";
import { checkCells, NO_CLOCK } from "./cells.ts";

/**
 * Checks the cells of a row as `checkCells` does. The result has members without cells too, and those `made` of several
 * cells.
 */
export type Checker<Schema extends z.ZodType, Ours = unknown> = (
  cells: object,
  errors: Offence[],
  made?: object,
) => (z.output<Schema> & Ours) | undefined;
/** Converts a cell to its value, or answers `WRONG`. */
type Check = (given: unknown, made?: object) => unknown;
type Members = Record<string, unknown>;

/**
 * A fast equivalent of `checkCells` for the rows of one batch: valid rows are checked cell by cell, with a cache per
 * column, and `checkCells` only runs for the errors of others. `ours` are further members of every item.
 */
export function checkerOf<Schema extends z.ZodObject, Ours extends Members = Record<never, never>>(
  schema: Schema,
  { clock = NO_CLOCK, ours }: { clock?: Clock; ours?: Ours } = {},
): Checker<Schema, Ours> {
  const check = objectCheck(schema, clock, ours);
  return (cells, errors, made) => {
    const quick = check(cells, made);
    // The object has the members that the schema's own parts produced.
    if (quick !== WRONG) return quick as z.output<Schema> & Ours;
    const members = Object.entries({ ...cells, ...made });
    const theirs = members.filter(([name]) => !ours || !Object.hasOwn(ours, name));
    const checked = checkCells(schema, Object.fromEntries(theirs), errors, clock);
    return checked && Object.assign(checked, ours);
  };
}

function objectCheck(schema: z.ZodObject, clock: Clock, ours: Members = {}): Check {
  const theirs = Object.entries(schema.shape).filter(([name]) => !Object.hasOwn(ours, name));
  const found = theirs.map(([name, member]) => [name, memberOf(member as z.ZodType, clock)] as const);
  const required = found.filter(([, { absent }]) => absent.isWrong).map(([name]) => name);
  // Every required member has a bit: a comparison shows whether all are present.
  const whole = 2 ** required.length - 1;
  const bitOf = (name: string) => (required.includes(name) ? 2 ** required.indexOf(name) : 0);
  const members = new Map(found.map(([name, member]) => [name, { ...member, bit: bitOf(name) }]));
  const absent = Object.fromEntries(
    [...members].flatMap(([name, { absent }]) => ("value" in absent ? [[name, absent.value]] : [])),
  );
  const defaults = [...members].flatMap(([name, { absent }]) => (absent.make ? [[name, absent.make] as const] : []));
  // One copy with all members is faster than adding them one by one.
  const item: Members = { ...absent, ...Object.fromEntries(required.map((name) => [name, undefined])), ...ours };
  // Checks of the whole object accept any members.
  const checks = (schema.def.checks ?? []) as z.core.$ZodCheck<unknown>[];
  return (given, besides) => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return WRONG;
    const checked = { ...item };
    for (const [name, make] of defaults) checked[name] = make();
    const ofGiven = take(given, members, checked);
    const ofBesides = besides ? take(besides, members, checked) : 0;
    if (ofGiven < 0 || ofBesides < 0 || (ofGiven | ofBesides) !== whole) return WRONG;
    return checks.every((check) => holds(check, checked)) ? checked : WRONG;
  };
}

/** Returns the bits of the required members that are present; -1 when a member is invalid. */
function take(given: object, members: Map<string, { check: Check; bit: number }>, checked: Members): number {
  let bits = 0;
  for (const name in given) {
    const value = (given as Members)[name]; // it is an object
    const member = value === undefined ? undefined : members.get(name);
    if (!member) continue;
    const known = value === null ? WRONG : member.check(value);
    if (known === WRONG) return -1;
    checked[name] = known;
    bits |= member.bit;
  }
  return bits;
}

function holds(check: z.core.$ZodCheck<unknown>, value: unknown): boolean {
  const payload: z.core.ParsePayload = { value, issues: [] };
  const later = check._zod.check(payload);
  return later === undefined && payload.issues.length === 0;
}

type Absent = { value?: unknown; make?: () => unknown; isWrong?: boolean };

/** How a present member is checked, and the value of an absent one. */
function memberOf(schema: z.ZodType, clock: Clock): { check: Check; absent: Absent } {
  const inner = withoutWrapping(schema);
  const check = inner instanceof z.ZodObject ? objectCheck(inner, clock) : cellCheck(inner, clock);
  const { success, data } = schema.safeParse(undefined);
  if (!success) return { check, absent: { isWrong: true } };
  if (data === undefined) return { check, absent: {} };
  if (typeof data !== "object" || data === null) return { check, absent: { value: data } };
  // A new list per row: rows must not share one.
  const isEmpty = Array.isArray(data) && data.length === 0;
  return { check, absent: { make: isEmpty ? () => [] : () => schema.parse(undefined) } };
}

/** The schema inside optional, nullable and default. */
function withoutWrapping(schema: z.ZodType): z.ZodType {
  const isWrapping =
    schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
  // A wrapper with checks of its own stays; the inner type is always a zod schema, which zod's types do not say.
  return isWrapping && !schema.def.checks?.length ? withoutWrapping(schema.def.innerType as z.ZodType) : schema;
}

function cellCheck(schema: z.ZodType, clock: Clock): Check {
  return textCheck(schema) ?? numberCheck(schema) ?? parsedCheck(schema, clock);
}

/** A check by the schema itself, for schemas without a faster one. */
function parsedCheck(schema: z.ZodType, clock: Clock): Check {
  const read = readerOf(schema);
  const reading = { clock, offences: [] as Offence[] };
  let known: Map<unknown, unknown> | undefined = new Map();
  let seen = 0;
  return (given) => {
    const before = known?.get(given);
    if (before !== undefined) return before;
    const value = read(given, "", false, reading);
    if (reading.offences.length > 0) {
      reading.offences.length = 0;
      return WRONG;
    }
    const checked = parsedBy(schema, value);
    if (checked === WRONG) return WRONG;
    seen += 1;
    if (seen > MAX_CACHED_VALUES) known = undefined;
    else if (typeof checked !== "object") known?.set(given, checked);
    return checked;
  };
}

/** Like `safeParse` without building an error object. */
function parsedBy(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema._zod.run({ value, issues: [] }, SYNCHRONOUS);
  return parsed instanceof Promise || parsed.issues.length > 0 ? WRONG : parsed.value;
}

/** A check for texts restricted only by length and pattern. */
function textCheck(schema: z.ZodType): Check | undefined {
  const bounds = schema instanceof z.ZodString ? boundsOf(schema) : undefined;
  if (!bounds) return undefined;
  const { least, most, pattern } = bounds;
  return (given) => {
    const isRight = typeof given === "string" && given.length >= least && given.length <= most && isStorableText(given);
    return isRight && (!pattern || pattern.test(given)) ? given : WRONG;
  };
}

/** A check for numbers restricted only by bounds. */
function numberCheck(schema: z.ZodType): Check | undefined {
  const isNumber = schema instanceof z.ZodNumber && !(schema instanceof z.ZodNumberFormat);
  const bounds = isNumber ? boundsOf(schema) : undefined;
  if (!bounds) return undefined;
  const { least, most } = bounds;
  return (given) => {
    const value = numberOf(given);
    return typeof value === "number" && value >= least && value <= most && Number.isFinite(value) ? value : WRONG;
  };
}

type Bounds = { least: number; most: number; pattern: RegExp | undefined };

/** Undefined when the schema has other checks than bounds and a pattern. */
function boundsOf(schema: z.ZodType): Bounds | undefined {
  let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  let form: RegExp | undefined;
  for (const check of schema.def.checks ?? []) {
    const { check: kind, minimum, maximum, value, inclusive, format, pattern } = check._zod.def as Bound; // as its kind has it
    if (kind === "min_length" && minimum !== undefined) least = Math.max(least, minimum);
    else if (kind === "max_length" && maximum !== undefined) most = Math.min(most, maximum);
    else if (kind === "greater_than" && inclusive && value !== undefined) least = Math.max(least, value);
    else if (kind === "less_than" && inclusive && value !== undefined) most = Math.min(most, value);
    // A global or sticky pattern keeps state between tests.
    else if (kind === "string_format" && format === "regex" && pattern && !form && !/[gy]/.test(pattern.flags))
      form = pattern;
    else return undefined;
  }
  return { least, most, pattern: form };
}

type Bound = {
  check: string;
  minimum?: number;
  maximum?: number;
  value?: number;
  inclusive?: boolean;
  format?: string;
  pattern?: RegExp;
};

/** No schema produces this symbol; it makes `checkCells` decide. */
const WRONG = Symbol("wrong");
/** A column with more distinct values than this is not worth caching. */
const MAX_CACHED_VALUES = 400;
const SYNCHRONOUS = { async: false };
