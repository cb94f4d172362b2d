import { type Column, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { invalid } from "../error/api-error.ts";
import type { Clock } from "../time/clock.ts";
import { mentionsAny } from "./mentions.ts";

/** A searchable field by kind. Texts are compared in their folded copy. */
export type SearchField =
  | { kind: "number"; column: Column | SQL }
  | { kind: "text"; folded: Column | SQL }
  | { kind: "moment"; column: Column | SQL }
  | { kind: "entity"; id: Column | SQL; folded: Column | SQL }
  | LinkedField;
/** Things of another service, which answered the ids whose names contain a text. */
type LinkedField = { kind: "linked"; isOneOf(ids: SQL): SQL; named(text: string): number[] };
/** Fields by the names that callers use. */
export type SearchFields = Record<string, SearchField>;

/** The parameter `conditions`; `matching` validates its content. */
export function searchConditions(mostAtTheTop = MAX_COUNTS.conditions) {
  return z
    .array(z.unknown().meta({ description: "One of and, or, not, eq, contains, in and period, as `type` says" }))
    .max(mostAtTheTop)
    .nullable()
    .default(null);
}

/** WHERE clause of conditions that must all hold; an invalid condition is 7 with its path. */
export function matchConditions(given: unknown[] | null, fields: SearchFields, clock: Clock): SQL | undefined {
  if (!given || given.length === 0) return undefined;
  const count = { conditions: 0, texts: 0, numbers: 0 };
  return joinConditions(compileAll(given, { path: "conditions", fields, clock, count }), "and");
}

/** Texts that the conditions search in the chosen fields; unreadable conditions are skipped. */
export function textsSought(given: unknown[] | null, isWanted: (field: string) => boolean): string[] {
  const texts = (given ?? []).flatMap((one) => textsIn(one, isWanted, 0));
  return [...new Set(texts)].slice(0, MAX_COUNTS.texts);
}

/** Number of texts that the conditions search, in any field. */
export function countTexts(given: unknown[] | null): number {
  return (given ?? []).flatMap((one) => textsIn(one, () => true, 0)).length;
}

function textsIn(given: unknown, isWanted: (field: string) => boolean, depth: number): string[] {
  if (!isRecord(given) || depth > MAX_COUNTS.conditions) return [];
  const parts = Array.isArray(given.conditions) ? given.conditions.slice(0, MAX_COUNTS.conditions) : [];
  const nested = [...parts, given.condition].flatMap((one) => textsIn(one, isWanted, depth + 1));
  if (typeof given.field !== "string" || !isWanted(given.field)) return nested;
  const values = Array.isArray(given.value) ? given.value.slice(0, MAX_COUNTS.numbers) : [given.value];
  return [...nested, ...values.filter((value) => isSearchText(value))];
}

type Context = { path: string; fields: SearchFields; clock: Clock; count: Count };
/** Totals over all conditions of a call. */
type Count = { conditions: number; texts: number; numbers: number };

function compileAll(given: unknown[], { path, ...rest }: Context): SQL[] {
  return given.map((one, index) => compile(one, { ...rest, path: `${path}.${index}` }));
}

function compile(given: unknown, context: Context): SQL {
  const { path, count } = context;
  add(count, "conditions", 1);
  if (!isRecord(given)) throw invalid(path, "must be an object");
  switch (given.type) {
    case "and":
    case "or":
      return joinConditions(
        compileAll(partsOf(given.conditions, path), { ...context, path: `${path}.conditions` }),
        given.type,
      );
    case "not":
      return sql`NOT ${compile(given.condition, { ...context, path: `${path}.condition` })}`;
    case "eq":
    case "contains":
    case "in":
    case "period":
      // IS TRUE: a missing value does not match, and matches the negation.
      return sql`((${compare(given.type, given.value, fieldOf(given.field, context), context)}) IS TRUE)`;
    default:
      throw invalid(`${path}.type`, "must be and, or, not, eq, contains, in or period");
  }
}

/** Refuses too many conditions before any of them is compiled. */
function add(count: Count, what: keyof Count, more: number) {
  count[what] += more;
  if (count[what] > MAX_COUNTS[what])
    throw invalid("conditions", `must have at most ${MAX_COUNTS[what]} ${what} in all`);
}

function joinConditions(terms: SQL[], by: "and" | "or") {
  return sql`(${sql.join(terms, by === "and" ? sql` AND ` : sql` OR `)})`;
}

function partsOf(conditions: unknown, path: string): unknown[] {
  if (!Array.isArray(conditions) || conditions.length < 2 || conditions.length > MAX_PER_CONDITION) {
    throw invalid(`${path}.conditions`, `must be 2 to ${MAX_PER_CONDITION} conditions`);
  }
  return conditions;
}

function fieldOf(name: unknown, { fields, path }: Context): SearchField {
  const field = typeof name === "string" && Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) throw invalid(`${path}.field`, `must be one of ${Object.keys(fields).join(", ")}`);
  return field;
}

function compare(type: "eq" | "contains" | "in" | "period", value: unknown, field: SearchField, context: Context): SQL {
  const path = `${context.path}.value`;
  if ((type === "period") !== (field.kind === "moment")) {
    throw invalid(`${context.path}.field`, type === "period" ? "must be a date" : "is a date: use period");
  }
  if (field.kind === "moment") return within(value, field.column, path, context.clock);
  if (type === "in" && !Array.isArray(value)) throw invalid(path, "must be an array");
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const numeric = values.filter((one) => typeof one === "number");
  add(context.count, "numbers", numeric.length);
  add(context.count, "texts", values.length - numeric.length);
  if (type === "eq") return among(field, [numberOf(value, path)]);
  if (type === "contains") return contains(field, [textOf(value, path)]);
  const texts = values.flatMap((one, index) => (typeof one === "number" ? [] : textOf(one, `${path}.${index}`)));
  const numbers = numeric.map((one) => numberOf(one, path));
  return sql`(${among(field, numbers)} OR ${contains(field, texts)})`;
}

/** True when the field equals one of the numbers. */
function among(field: Exclude<SearchField, { kind: "moment" }>, numbers: number[]): SQL {
  const listed = (values: unknown[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
  if (field.kind === "linked") return field.isOneOf(listed(numbers));
  if (field.kind === "text") return sql`${field.folded} IN ${listed(numbers.map(String))}`;
  return sql`${field.kind === "entity" ? field.id : field.column} IN ${listed(numbers)}`;
}

/** True when the field contains one of the texts. */
function contains(field: Exclude<SearchField, { kind: "moment" }>, texts: string[]): SQL {
  if (field.kind === "linked") {
    const ids = texts.flatMap((text) => field.named(text));
    return field.isOneOf(sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  }
  // Numbers are compared as callers see them: 100, not 100.0.
  const text = field.kind === "number" ? sql`printf('%.15g', ${field.column})` : field.folded;
  const isThere = field.kind === "number" ? sql`${field.column} IS NOT NULL` : sql`TRUE`;
  return sql`${isThere} AND ${mentionsAny(text, texts)}`;
}

function within(value: unknown, column: Column | SQL, path: string, clock: Clock): SQL {
  const [from, to] = ["from", "to"].map((name) => {
    const text = isRecord(value) ? value[name] : undefined;
    const ms = typeof text === "string" ? clock.read(text) : undefined;
    if (ms === undefined) throw invalid(`${path}.${name}`, "is not a date and time");
    return ms;
  });
  // Callers give whole seconds: the last second counts to its end.
  return sql`${column} >= ${from} AND ${column} <= ${Number(to) + 999}`;
}

function numberOf(value: unknown, path: string): number {
  if (typeof value !== "number" || Math.abs(value) > 2 ** 63)
    throw invalid(path, "must be a number from -2^63 to 2^63");
  if (Math.abs(value) < 1e15 && Number(value.toFixed(6)) !== value) {
    throw invalid(path, "must have at most 6 fractional digits");
  }
  return value;
}

function textOf(value: unknown, path: string): string {
  if (!isSearchText(value)) throw invalid(path, `must be a text of 1 to ${MAX_TEXT_CHARACTERS} characters`);
  if (value.includes("\0") || !value.isWellFormed()) throw invalid(path, "must not contain NUL or lone surrogates");
  return value;
}

function isSearchText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && [...value].length <= MAX_TEXT_CHARACTERS;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Limits per call, nested conditions included: every row is searched for every text. */
const MAX_COUNTS: Count = { conditions: 72, texts: 200, numbers: 5_000 };
const MAX_PER_CONDITION = 60;
const MAX_TEXT_CHARACTERS = 760;
