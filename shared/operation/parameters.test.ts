import { expect, test } from "vitest";
import * as z from "zod";
import type { Offence } from "../error/api-error.ts";
import { clockOf } from "../time/clock.ts";
import { dateTime } from "./fields.ts";
import { numberOf, offencesOf, readerOf, writerOf } from "./parameters.ts";

const BERLIN = clockOf({}, "Europe/Berlin", false);
const [WRITTEN, MS] = ["2026-05-02 10:15:00", Date.parse("2026-05-02T08:15:00Z")];

function read(schema: z.ZodType, value: unknown, { textual = false } = {}) {
  const offences: Offence[] = [];
  const given = readerOf(schema)(value, "", textual, { clock: BERLIN, offences });
  return { given, parameters: offences.map(({ parameter }) => parameter) };
}

test("numberOf turns a text that is written as a number into one, and leaves any other value", () => {
  const right = ["0", "7", "007", "12.50", "0.1", "-3", "-0.5", "1e5", "1.5E-3", "9007199254740993"];
  expect(right.map(numberOf)).toEqual(right.map(Number));
  const wrong = [
    "",
    ".",
    "1.",
    ".5",
    "1.2.3",
    "1 ",
    " 1",
    "+1",
    "--1",
    "1e",
    "0x10",
    "Infinity",
    "NaN",
    "1,5",
    "\u0663",
    "/",
    ":",
  ];
  expect(wrong.map(numberOf)).toEqual(wrong);
  expect([7, null, undefined, true].map(numberOf)).toEqual([7, null, undefined, true]);
});

test.each([
  [z.number(), "123456", 123456],
  [z.int(), "-5", -5],
  [z.number(), "1.5e3", 1500],
  [z.number(), 7, 7],
  [z.boolean(), "true", true],
  [z.boolean(), "false", false],
  [z.int().optional(), "5", 5],
  [z.int().nullable().default(null), "5", 5],
  [z.array(z.int()), ["1", 2], [1, 2]],
  [z.object({ id: z.int() }), { id: "1" }, { id: 1 }],
  [z.record(z.string(), z.boolean()), { a: "true" }, { a: true }],
])("parameters of %o: %j is read as %j", (schema, value, expected) => {
  expect(schema.parse(read(schema, value).given)).toEqual(expected);
});

test.each([
  [z.number(), ""],
  [z.number(), " 1"],
  [z.number(), "1 "],
  [z.number(), "0x10"],
  [z.number(), "1,5"],
  [z.number(), "Infinity"],
  [z.number(), "NaN"],
  [z.number(), "1e999"],
  [z.number(), true],
  [z.boolean(), "yes"],
  [z.boolean(), 1],
  [z.boolean(), "TRUE"],
  [z.string(), 5],
  [z.string(), true],
  [z.array(z.int()), "1"],
  [z.array(z.int()), { 0: 1 }],
  [z.object({}), []],
  [z.int(), "1.5"],
])("parameters of %o: %j is left for the schema to refuse", (schema, value) => {
  expect(schema.safeParse(read(schema, value).given).success).toBe(false);
});

test("parameters keep text of digits as text where the schema wants text", () => {
  expect(read(z.string(), "0123").given).toBe("0123");
  expect(read(z.union([z.int(), z.string()]), "x").given).toBe("x");
});

test("parameters refuse text that no database stores, in an option of a union too", () => {
  const schema = z.union([z.object({ type: z.literal("a"), name: z.string() }), z.object({ type: z.literal("b") })]);
  expect(read(schema, { type: "a", name: "\ud800" }).parameters).toEqual(["name"]);
  expect(read(schema, { type: "b", name: "\ud800" }).parameters).toEqual([]);
});

test("parameters of a discriminated union are read as the named kind, also when another member is wrong", () => {
  const kinds = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal(1), most: z.int().max(9) }),
    z.object({ kind: z.literal(2), on: z.boolean() }),
  ]);
  expect(read(kinds, { kind: "1", most: "12" }).given).toEqual({ kind: 1, most: 12 });
  expect(read(kinds, '{"kind":2,"on":"true"}', { textual: true }).given).toEqual({ kind: 2, on: true });
  expect(read(kinds, { kind: "3", most: "1" }).given).toEqual({ kind: "3", most: "1" });
});

test("parameters in a query hold arrays and objects as JSON text, those in a body do not", () => {
  const schema = z.array(z.object({ id: z.int() }));
  expect(read(schema, '[{"id":5}]', { textual: true }).given).toEqual([{ id: 5 }]);
  expect(read(schema.optional(), "[]", { textual: true }).given).toEqual([]);
  expect(schema.safeParse(read(schema, '[{"id":5}]').given).success).toBe(false);
  // Values within JSON text are typed: a text in it is not parsed as JSON again.
  const nested = z.object({ list: z.array(z.int()) });
  expect(nested.safeParse(read(nested, '{"list":"[1]"}', { textual: true }).given).success).toBe(false);
  expect(read(schema, "[{", { textual: true }).parameters).toEqual([""]);
});

test("parameters treat null as absent where it is not allowed but optional, and as null where it is allowed", () => {
  expect(read(z.int().optional(), null).given).toBeUndefined();
  expect(
    z
      .int()
      .default(5)
      .parse(read(z.int().default(5), null).given),
  ).toBe(5);
  expect(read(z.int().nullable().default(7), null).given).toBeNull();
  expect(read(z.int().nullable(), null).given).toBeNull();
  expect(read(z.string().nullish(), null).given).toBeNull();
  expect(z.int().safeParse(read(z.int(), null).given).success).toBe(false);
});

test('parameters read the text "null" as null in a query, and as text in a body', () => {
  for (const schema of [z.string().nullable(), z.string().nullable().default("x"), z.string().nullish()]) {
    expect(read(schema, "null", { textual: true }).given).toBeNull();
    expect(read(schema, "null").given).toBe("null");
  }
  expect(read(z.string().optional(), "null", { textual: true }).given).toBeUndefined();
  expect(read(z.string(), "null", { textual: true }).given).toBe("null");
});

const moments = z.object({
  at: dateTime(),
  maybe: dateTime().optional(),
  orNull: dateTime().nullable(),
  list: z.array(dateTime()),
  byName: z.record(z.string(), z.object({ at: dateTime() })),
  kind: z.union([z.object({ kind: z.literal("day"), at: dateTime() }), z.object({ kind: z.literal("none") })]),
  variant: z.discriminatedUnion("type", [
    z.object({ type: z.literal("one"), at: dateTime() }),
    z.object({ type: z.literal("other"), at: z.string() }),
  ]),
  deep: z.object({ list: z.array(z.object({ at: dateTime().nullable().default(null) })) }).optional(),
});
const outside = {
  at: WRITTEN,
  maybe: WRITTEN,
  orNull: null,
  list: [WRITTEN, WRITTEN],
  byName: { a: { at: WRITTEN } },
  kind: { kind: "day", at: WRITTEN },
  variant: { type: "other", at: WRITTEN },
  deep: { list: [{ at: WRITTEN }, { at: null }] },
};
const inside = {
  at: MS,
  maybe: MS,
  orNull: null,
  list: [MS, MS],
  byName: { a: { at: MS } },
  kind: { kind: "day", at: MS },
  variant: { type: "other", at: WRITTEN },
  deep: { list: [{ at: MS }, { at: null }] },
};

test("parameters hold moments in the caller's zone at every depth, and writerOf writes them back as they came", () => {
  const { given, parameters } = read(moments, outside);
  expect(parameters).toEqual([]);
  expect(moments.parse(given)).toEqual(inside);
  expect(writerOf(moments)?.(inside, BERLIN)).toEqual(outside);
  const iso = clockOf({}, "Europe/Berlin", true);
  expect(writerOf(z.array(dateTime()))?.([MS], iso)).toEqual(["2026-05-02T10:15:00+02:00"]);
});

test("parameters leave optional moments out in both directions", () => {
  const schema = z.object({ at: dateTime().optional(), deep: z.object({ at: dateTime().optional() }).optional() });
  expect(read(schema, {}).given).toEqual({});
  expect(writerOf(schema)?.({ deep: {} }, BERLIN)).toEqual({ deep: {} });
  expect(writerOf(schema)?.({ at: undefined }, BERLIN)).toEqual({ at: undefined });
});

test("writerOf gives no writer for a schema without moments", () => {
  expect(writerOf(z.object({ a: z.array(z.object({ b: z.string().nullable() })) }))).toBeUndefined();
  expect(writerOf(z.union([z.string(), z.int()]))).toBeUndefined();
});

test.each(["2026-02-30 00:00:00", "2026-05-02", "", MS, true, {}, "2026-05-02T10:15:00Z"])(
  "parameters refuse %j as a moment",
  (value) => {
    expect(read(z.object({ range: z.array(dateTime()) }), { range: [WRITTEN, value] }).parameters).toEqual(["range.1"]);
  },
);

test.each(["\0", "a\0b", "\ud800", "\udc00x"])("parameters refuse text with %j in it, at any depth", (text) => {
  const schema = z.object({
    label: z.string(),
    tags: z.array(z.string()),
    fields: z.record(z.string(), z.string()),
    note: z.string().nullable().optional(),
    more: z.object({ of: z.string() }),
  });
  const given = { label: text, tags: ["good", text], fields: { name: text }, note: text, more: { of: text } };
  const offending = ["label", "tags.1", "fields.name", "note", "more.of"];
  expect(read(schema, given).parameters).toEqual(offending);
  expect(read(z.record(z.string(), z.int()), { [text]: 1 }).parameters).toHaveLength(1);
});

test("parameters accept characters outside the basic plane", () => {
  expect(read(z.string(), "💥 ü").parameters).toEqual([]);
});

test("parameters never take a name of the prototype for a member that was given", () => {
  const schema = z.object({ constructor: z.string().optional(), toString: z.int().optional() });
  expect(read(schema, {}).given).toEqual({});
  const sent: unknown = JSON.parse('{"__proto__":{"admin":true},"label":"Van"}');
  const { given } = read(z.object({ label: z.string(), admin: z.boolean().optional() }), sent);
  expect(given).toEqual({ label: "Van" });
  expect(Reflect.get(Object(given), "admin")).toBeUndefined();
});

test("parameters with a member __proto__ in a record leave the prototype alone", () => {
  const schema = z.record(z.string(), z.object({ on: z.boolean() }));
  read(schema, JSON.parse('{"__proto__":{"on":true},"a":{"on":"true"}}'));
  writerOf(z.record(z.string(), dateTime()))?.(JSON.parse('{"__proto__":5}'), BERLIN);
  expect(Reflect.get({}, "on")).toBeUndefined();
});

test("parameters drop members that the schema does not know", () => {
  expect(read(z.object({ id: z.int() }), { id: "1", owner: 5 }).given).toEqual({ id: 1 });
});

test.each([
  [{ vehicle: { label: "x" } }, "vehicle.id", "is required"],
  [{ vehicle: null }, "vehicle", "must not be null"],
  [{ vehicle: { id: 1, label: 5 } }, "vehicle.label", "must be of type string"],
  [{ vehicle: { id: 1, label: "" } }, "vehicle.label", "must be at least 1 characters long"],
  [{ vehicle: { id: 1, tags: [1, "x"] } }, "vehicle.tags.1", "must be of type number"],
  [{ vehicle: { id: 1, tags: [1, 2, 3] } }, "vehicle.tags", "must be at most 2 items long"],
  [{ vehicle: { id: 1, type: "boat" } }, "vehicle.type", "must be one of car, bus"],
  [{ vehicle: { id: 2000 } }, "vehicle.id", "must be at most 1000"],
])("offencesOf %j names %s, which %s", (given, parameter, error) => {
  const schema = z.object({
    vehicle: z.object({
      id: z.int().max(1000),
      label: z.string().min(1).default("x"),
      tags: z.array(z.int()).max(2).default([]),
      type: z.enum(["car", "bus"]).default("car"),
    }),
  });
  const parsed = schema.safeParse(given);
  expect(offencesOf(parsed.error?.issues ?? [], given)).toEqual([{ parameter, error }]);
});
