import type { z } from "zod";
import type { Offence } from "../error/api-error.ts";
import type { Clock } from "../time/clock.ts";
import { refusesNull } from "./fields.ts";

/** What a conversion needs to know, and where it notes what is wrong. */
type ReadContext = { clock: Clock; offences: Offence[] };
/** `textual`: the value came as text, so that arrays and objects are JSON text and `null` is a word. */
type Reader = (value: unknown, path: string, textual: boolean, reading: ReadContext) => unknown;
type Writer = (value: unknown, clock: Clock) => unknown;
// What zod keeps of a schema; its public types do not show the members of every kind.
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
 * Brings parameters into the types of the schema: numbers and booleans given as text, JSON text of a query, moments in
 * the caller's zone. What does not fit is left as it is for the schema to refuse; what cannot be read is an offence.
 */
export function readerOf(schema: z.ZodType): Reader {
  const known = readers.get(schema);
  if (known) return known;
  const reader = makeReader(schema);
  readers.set(schema, reader);
  return reader;
}

/** Writes the moments of an answer in the caller's form; undefined where the schema has none. */
export function writerOf(schema: z.ZodType): Writer | undefined {
  if (!writers.has(schema)) writers.set(schema, makeWriter(schema));
  return writers.get(schema);
}

/** The contract's words for what zod found. */
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

/** The number of a text that is one; else what was given. */
export function numberOf(value: unknown): unknown {
  return typeof value === "string" && (isPlainNumber(value) || NUMERIC.test(value)) ? Number(value) : value;
}

/** Digits, with a point between them at the most: what most numbers are, seen sooner than by a regular expression. */
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

/** No database keeps NUL in text, and half a character can be written nowhere. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function readText(value: unknown, path: string, _textual: boolean, { offences }: ReadContext) {
  if (typeof value === "string" && !isStorableText(value)) {
    offences.push({ parameter: path, error: "must not contain NUL or lone surrogates" });
  }
  return value;
}

/** What a loose object has besides its members is kept as it came, but for text, which is text everywhere. */
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

/** null for a parameter that may be left out, but not be null, means absent, unless it is refused. */
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

/** The kind that the value names; else the first of the kinds whose own schema takes the value. */
function readUnion(options: z.ZodType[], discriminator: string | undefined): Reader {
  return (value, path, textual, reading) => {
    const named = discriminator && optionNamed(options, discriminator, value, textual);
    if (named) return readerOf(named)(value, path, textual, reading);
    // Of an option that would take the value what is wrong with it: unread, nobody else would see it.
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

/** So what is wrong within the value is told as it would be of the kind alone. */
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

/** What the input has there; undefined: nothing. */
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
  // Every schema has a definition of these members; which of them, its type says.
  return schema.def as unknown as Definition;
}

const [ZERO, NINE, POINT] = [48, 57, 46];
const NUMERIC = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const readers = new WeakMap<z.ZodType, Reader>();
const writers = new WeakMap<z.ZodType, Writer | undefined>();
