import type * as z from "zod";
import type { Offence } from "../error/api-error.ts";
import type { Clock } from "../time/clock.ts";
import { refusesNull } from "./fields.ts";

/** The clock that reads times, and the list to which errors are added. */
type ReadContext = { clock: Clock; offences: Offence[] };
/** `textual`: the value came as text: arrays and objects are JSON text, and null is the text `null`. */
type Reader = (value: unknown, path: string, textual: boolean, reading: ReadContext) => unknown;
type Writer = (value: unknown, clock: Clock) => unknown;
// Members of zod's schema definitions that its public types hide.
type Definition = {
  type: string;
  catchall?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  discriminator?: string;
  values?: unknown[];
  in?: z.ZodType;
};

/**
 * Converts parameters to the types of the schema: textual numbers and booleans, JSON text, times in the caller's zone.
 * Values that do not fit stay for the schema to refuse; unreadable ones become offences.
 */
export function readerOf(schema: z.ZodType): Reader {
  const known = readers.get(schema);
  if (known) return known;
  const reader = makeReader(schema);
  readers.set(schema, reader);
  return reader;
}

/** Writes the times of an answer in the caller's form; undefined when the schema has none. */
export function writerOf(schema: z.ZodType): Writer | undefined {
  if (!writers.has(schema)) writers.set(schema, makeWriter(schema));
  return writers.get(schema);
}

/** Zod's issues in the contract's words. */
export function offencesOf(issues: z.core.$ZodIssue[], input: unknown): Offence[] {
  return issues.flatMap((issue) => {
    const parameter = issue.path.join(".");
    return { parameter, error: describeIssue(issue, valueAt(input, issue.path)) };
  });
}

function makeReader(schema: z.ZodType): Reader {
  const definition = definitionOf(schema);
  if (wireOf(schema) === "date-time") return readMoment;
  switch (definition.type) {
    case "string":
      return readText;
    case "number":
      return numberOf;
    case "boolean":
      return (value) => (value === "true" ? true : value === "false" ? false : value);
    case "object":
      return readObject(definition.shape ?? {}, definition.catchall);
    case "array":
      return readArray(definition.element);
    case "record":
      return readRecord(definition.valueType);
    case "optional":
    case "default":
    case "prefault":
      return readOptional(definition.innerType, refusesNull(schema));
    case "nullable":
      return readNullable(definition.innerType);
    case "pipe":
      return definition.in ? readerOf(definition.in) : (value) => value;
    case "union":
      return readUnion(definition.options ?? [], definition.discriminator);
    case "literal":
      return readLiteral(definition.values ?? []);
    case "enum":
      return (value) => value;
    default:
      return (value, path, textual, reading) => parseText(value, path, textual, reading.offences);
  }
}

function readMoment(value: unknown, path: string, _textual: boolean, { clock, offences }: ReadContext) {
  if (value === null || value === undefined) return value;
  const ms = typeof value === "string" ? clock.read(value) : undefined;
  if (ms === undefined) offences.push({ parameter: path, error: "is not a date and time" });
  return ms;
}

/** The number that a text denotes, else the value unchanged. */
export function numberOf(value: unknown): unknown {
  return typeof value === "string" && (isPlainNumber(value) || NUMERIC.test(value)) ? Number(value) : value;
}

/** Digits with at most one point. Faster than a regular expression, and true for most numbers. */
function isPlainNumber(text: string): boolean {
  const last = text.length - 1;
  let hasPoint = false;
  for (let index = 0; index <= last; index++) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) continue;
    if (code !== POINT || hasPoint || index === 0 || index === last) return false;
    hasPoint = true;
  }
  return last >= 0;
}

/** False for texts with NUL or lone surrogates, which a database cannot store. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function readText(value: unknown, path: string, _textual: boolean, { offences }: ReadContext) {
  if (typeof value === "string" && !isStorableText(value)) {
    offences.push({ parameter: path, error: "must not contain NUL or lone surrogates" });
  }
  return value;
}

/** Reads the declared members of an object; further members of a loose object stay, but their texts are checked. */
function readObject(shape: Record<string, z.ZodType>, rest: z.ZodType | undefined): Reader {
  const members = Object.entries(shape);
  return (given, path, textual, reading) => {
    const value = parseText(given, path, textual, reading.offences);
    if (!isRecord(value)) return value;
    const read: Record<string, unknown> = {};
    for (const [name, member] of members) {
      if (!Object.hasOwn(value, name)) continue;
      read[name] = readerOf(member)(value[name], path ? `${path}.${name}` : name, false, reading);
    }
    for (const [name, item] of rest ? Object.entries(value) : []) {
      if (!Object.hasOwn(shape, name))
        read[name] = typeof item === "string" ? readText(item, `${path}.${name}`, false, reading) : item;
    }
    return read;
  };
}

function readArray(element: z.ZodType | undefined): Reader {
  const read = element ? readerOf(element) : undefined;
  return (given, path, textual, reading) => {
    const value = parseText(given, path, textual, reading.offences);
    if (!Array.isArray(value) || !read) return value;
    return value.map((item, index) => read(item, `${path}.${index}`, false, reading));
  };
}

function readRecord(valueType: z.ZodType | undefined): Reader {
  const read = valueType ? readerOf(valueType) : undefined;
  return (given, path, textual, reading) => {
    const value = parseText(given, path, textual, reading.offences);
    if (!isRecord(value) || !read) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        readText(key, path, false, reading);
        return [key, read(item, `${path}.${key}`, false, reading)];
      }),
    );
  };
}

/** null counts as absent for an optional parameter that is not nullable, unless the schema refuses null. */
function readOptional(innerType: z.ZodType | undefined, isNullRefused: boolean): Reader {
  if (!innerType) return (value) => value;
  const read = readerOf(innerType);
  const keepsNull = isNullRefused || isNullable(innerType);
  return (given, path, textual, reading) => {
    const value = textual && given === "null" ? null : given;
    if (value === undefined || (value === null && !keepsNull)) return undefined;
    return read(value, path, textual, reading);
  };
}

function readNullable(innerType: z.ZodType | undefined): Reader {
  if (!innerType) return (value) => value;
  const read = readerOf(innerType);
  return (value, path, textual, reading) =>
    value === null || (textual && value === "null") ? null : read(value, path, textual, reading);
}

/** Reads the option that the discriminator names, else the first option whose schema accepts the value. */
function readUnion(options: z.ZodType[], discriminator: string | undefined): Reader {
  return (value, path, textual, reading) => {
    const option = discriminator && optionNamed(options, discriminator, value, textual);
    if (option) return readerOf(option)(value, path, textual, reading);
    // Errors of an option that accepts the value must not get lost.
    let wrong: Offence[] = [];
    for (const option of options) {
      const offences: Offence[] = [];
      const read = readerOf(option)(value, path, textual, { ...reading, offences });
      if (!option.safeParse(read).success) continue;
      if (offences.length === 0) return read;
      if (wrong.length === 0) wrong = offences;
    }
    reading.offences.push(...wrong);
    return parseText(value, path, textual, reading.offences);
  };
}

/** Reads by the named option, so that errors within the value are reported as for that option alone. */
function optionNamed(options: z.ZodType[], discriminator: string, given: unknown, textual: boolean) {
  const value = parseText(given, "", textual, []);
  const name = isRecord(value) ? value[discriminator] : undefined;
  return options.find((option) => {
    const values = definitionOf(definitionOf(option).shape?.[discriminator] ?? option).values ?? [];
    return values.includes(readLiteral(values)(name));
  });
}

function readLiteral(values: unknown[]) {
  return (value: unknown) => {
    const isNumber = typeof value === "string" && NUMERIC.test(value) && !values.includes(value);
    return isNumber && values.includes(Number(value)) ? Number(value) : value;
  };
}

function parseText(value: unknown, path: string, textual: boolean, offences: Offence[]): unknown {
  if (!textual || typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    offences.push({ parameter: path, error: "is not JSON text" });
    return undefined;
  }
}

function makeWriter(schema: z.ZodType): Writer | undefined {
  const definition = definitionOf(schema);
  if (wireOf(schema) === "date-time") return (value, clock) => (typeof value === "number" ? clock.write(value) : value);
  if (definition.type === "object") return writeObject(definition.shape ?? {});
  const inner = definition.element ?? definition.innerType ?? definition.valueType;
  const write = inner && writerOf(inner);
  if (definition.type === "union") return writeUnion(definition.options ?? []);
  if (!write) return undefined;
  if (definition.type === "array") {
    return (value, clock) => (Array.isArray(value) ? value.map((item) => write(item, clock)) : value);
  }
  if (definition.type === "record") {
    return (value, clock) =>
      isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, write(item, clock)]))
        : value;
  }
  return (value, clock) => (value === null || value === undefined ? value : write(value, clock));
}

function writeObject(shape: Record<string, z.ZodType>): Writer | undefined {
  const members = Object.entries(shape).flatMap(([name, member]) => {
    const write = writerOf(member);
    return write ? [{ name, write }] : [];
  });
  if (members.length === 0) return undefined;
  return (value, clock) => {
    if (!isRecord(value)) return value;
    const written = { ...value };
    for (const { name, write } of members) {
      if (Object.hasOwn(written, name)) written[name] = write(written[name], clock);
    }
    return written;
  };
}

function writeUnion(options: z.ZodType[]): Writer | undefined {
  if (!options.some((option) => writerOf(option))) return undefined;
  return (value, clock) => {
    const option = options.find((candidate) => candidate.safeParse(value).success);
    const write = option && writerOf(option);
    return write ? write(value, clock) : value;
  };
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === null) return "must not be null";
  if (value === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "null" ? "must be null" : `must be of type ${issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return `must be at least ${issue.minimum}${sizeOf(issue.origin)}`;
    case "too_big":
      return `must be at most ${issue.maximum}${sizeOf(issue.origin)}`;
    default:
      return issue.message;
  }
}

function sizeOf(origin: string) {
  if (origin === "string") return " characters long";
  return origin === "array" || origin === "set" ? " items long" : "";
}

/** The value of the input at a path; undefined when there is none. */
export function valueAt(input: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined),
    input,
  );
}

function isNullable(schema: z.ZodType): boolean {
  const definition = definitionOf(schema);
  const inner = definition.type === "pipe" ? definition.in : definition.innerType;
  return definition.type === "nullable" || (inner !== undefined && isNullable(inner));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wireOf(schema: z.ZodType): unknown {
  return schema.meta()?.wire;
}

function definitionOf(schema: z.ZodType): Definition {
  // Every zod schema has a definition; its `type` says which of these members it has.
  return schema.def as unknown as Definition;
}

const [ZERO, NINE, POINT] = [48, 57, 46];
const NUMERIC = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const readers = new WeakMap<z.ZodType, Reader>();
const writers = new WeakMap<z.ZodType, Writer | undefined>();
