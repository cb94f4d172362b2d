import { systemNow } from "../../shared/time/clock.ts";
import type { Chance } from "./chance.ts";

type Schema = Record<string, unknown>;
/** Where ids come from: by what they are of, as far as that is known. */
export type Ids = { of(name: string): number };

/**
 * A value for a parameter by its JSON Schema: mostly one that it allows, often at one of its limits, now and then one
 * beyond a limit, of another type, or nested far too deep.
 */
export function madeOf(schema: Schema, name: string, chance: Chance, ids: Ids, depth = 0): unknown {
  if (chance.isOneIn(40)) return chance.pick(ODDITIES);
  const { type, anyOf, oneOf, allOf, enum: choices } = schema;
  if ("const" in schema) return schema.const;
  if (Array.isArray(choices)) return chance.pick(choices);
  for (const options of [anyOf, oneOf, allOf])
    if (Array.isArray(options)) return madeOf(chance.pick(options) as Schema, name, chance, ids, depth);
  const kind = Array.isArray(type) ? chance.pick(type) : type;
  if (kind === "object") return objectOf(schema, name, chance, ids, depth);
  if (kind === "array") return arrayOf(schema, name, chance, ids, depth);
  if (kind === "string") return textOf(schema, chance);
  if (kind === "boolean") return chance.isOneIn(2);
  if (kind === "null") return null;
  if (kind === "integer" || kind === "number") return numberOf(schema, name, chance, ids);
  return chance.pick(ODDITIES);
}

function objectOf(schema: Schema, name: string, chance: Chance, ids: Ids, depth: number): unknown {
  const properties = (schema.properties ?? {}) as Record<string, Schema>; // as JSON Schema has it
  const required = (schema.required ?? []) as string[]; // the same
  const members = Object.entries(properties).filter(([member]) => required.includes(member) || chance.isOneIn(2));
  const made = members.map(([member, one]) => [
    member,
    madeOf(one, member === "id" ? name : member, chance, ids, depth + 1),
  ]);
  const { additionalProperties: others } = schema;
  if (typeof others === "object" && others !== null && depth < 6)
    made.push(["1", madeOf(others as Schema, name, chance, ids, depth + 1)]);
  if (chance.isOneIn(30)) made.pop();
  return Object.fromEntries(made);
}

function arrayOf(schema: Schema, name: string, chance: Chance, ids: Ids, depth: number): unknown {
  const { minItems = 0, maxItems = 3 } = schema as { minItems?: number; maxItems?: number };
  const lengths = [minItems, minItems, 1, 2, Math.min(maxItems, 200), Math.min(maxItems + 1, 200)];
  // Many in one is enough: within others they would make the call too large for anything but its size to count.
  const length = depth > 1 ? Math.min(chance.pick(lengths), 3) : chance.pick(lengths);
  const items = (schema.items ?? {}) as Schema; // one schema for all of them
  return Array.from({ length }, () => madeOf(items, name.replace(/s$/, ""), chance, ids, depth + 1));
}

function numberOf(schema: Schema, name: string, chance: Chance, ids: Ids): number {
  if (/(^|_)ids?$/.test(name) || ID_NAMES.test(name)) return chance.isOneIn(4) ? chance.pick(NO_IDS) : ids.of(name);
  const { minimum = 0, maximum = 1000 } = schema as { minimum?: number; maximum?: number };
  const limits = [minimum, maximum, minimum - 1, maximum + 1, (minimum + maximum) / 2];
  return chance.isOneIn(5)
    ? chance.pick(limits)
    : Math.floor(minimum + chance.next() * Math.min(maximum - minimum, 500));
}

function textOf(schema: Schema, chance: Chance): string {
  const {
    format,
    minLength = 0,
    maxLength = 40,
    wire,
  } = schema as Record<string, unknown> & {
    minLength?: number;
    maxLength?: number;
  };
  if (chance.isOneIn(8)) return chance.pick(TEXTS);
  if (format === "date-time" || wire === "date-time") return `${dayOf(chance)} 0${chance.below(10)}:30:00`;
  if (format === "date") return dayOf(chance);
  if (format === "email") return `a${chance.below(1e6)}@example.com`;
  if (format === "uri") return "https://example.com/a";
  const length = chance.pick([minLength, Math.min(maxLength, 3000), minLength + 3, Math.min(maxLength + 1, 3001)]);
  const text = chance.pick(["a", "Ü", "漢", "7", "x y"]).repeat(length);
  return text.slice(0, length);
}

/** Around these days, and now and then far from them. */
function dayOf(chance: Chance) {
  const days = chance.isOneIn(10) ? chance.pick([-400_000, -40_000, 40_000, 900_000]) : chance.below(60) - 40;
  return new Date(systemNow() + days * 86_400_000).toISOString().replace(/^\+0+/, "").slice(0, 10);
}

const ID_NAMES = /^(trackers|vehicles|employees|zones|places|tags|source|id)$/;
const NO_IDS = [0, -1, 999_999_999, 2 ** 53, 1.5, 2 ** 31];
const TEXTS = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "%",
  "_",
  "'; DROP TABLE tracker; --",
  "{}",
  "[]",
  "null",
  "-0",
  "1e400",
  "\u202eabc",
  "=1+1",
  "<script>",
  "../../etc",
  "2026-02-30 00:00:00",
  "a".repeat(5000),
];
const ODDITIES = [
  null,
  true,
  "",
  [],
  {},
  -1,
  1e308,
  "0",
  [[]],
  { id: null },
  JSON.parse(`${"[".repeat(60)}${"]".repeat(60)}`) as unknown,
];
