import { createClient } from "@libsql/client/node";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { databaseOfClient } from "#test/tool/database/library.ts";
import { clockOf } from "../time/clock.ts";
import { matchConditions, type SearchFields, textsSought } from "./conditions.ts";
import { selectObjects } from "./rows.ts";

const db = databaseOfClient(createClient({ url: ":memory:" }));
const FIELDS: SearchFields = {
  cost: { kind: "number", column: sql`cost` },
  note: { kind: "text", folded: sql`note` },
  moment: { kind: "moment", column: sql`moment` },
  vehicle: { kind: "entity", id: sql`vehicle_id`, folded: sql`vehicle` },
  driver: {
    kind: "linked",
    isOneOf: (ids) => sql`vehicle_id IN ${ids}`,
    named: (text) => (text === "Ann" ? [8] : []),
  },
};
const clock = clockOf({}, "Europe/Berlin", false);

beforeAll(async () => {
  await db.run(
    "CREATE TABLE thing (id INTEGER, cost REAL, note TEXT, moment INTEGER, vehicle_id INTEGER, vehicle TEXT)",
  );
  const day = Date.parse("2026-05-01T00:00:00Z");
  await db.run(sql`INSERT INTO thing VALUES (1, 100, 'oil 100%', ${day}, 7, 'van a'), (2, 12.5, '12.5', ${day + 999}, 8, 'van b'),
    (3, NULL, 'a_b', NULL, 8, '7')`);
});

async function findIds(...conditions: unknown[]) {
  const rows = await selectObjects<{ id: number }>(
    db,
    sql`SELECT id FROM thing WHERE ${matchConditions(conditions, FIELDS, clock) ?? sql`TRUE`}`,
  );
  return rows.map(({ id }) => id);
}

const is = (type: string, field: string, value: unknown) => ({ type, field, value });

test("conditions compare each kind of field in its own way", async () => {
  expect(await findIds()).toEqual([1, 2, 3]);
  expect(await findIds(is("eq", "cost", 100))).toEqual([1]);
  expect(await findIds(is("eq", "note", 12.5))).toEqual([2]);
  expect(await findIds(is("eq", "vehicle", 7))).toEqual([1]);
  expect(await findIds(is("contains", "cost", "00"))).toEqual([1]);
  expect(await findIds(is("contains", "cost", ".0"))).toEqual([]);
  expect(await findIds(is("contains", "note", "ÖIL"))).toEqual([1]);
  expect(await findIds(is("contains", "note", "%"))).toEqual([1]);
  expect(await findIds(is("contains", "note", "_"))).toEqual([3]);
  expect(await findIds(is("contains", "vehicle", "VAN"))).toEqual([1, 2]);
  expect(await findIds(is("in", "vehicle", [7, "van b"]))).toEqual([1, 2]);
  expect(await findIds(is("in", "cost", [12.5, "10"]))).toEqual([1, 2]);
  expect(await findIds(is("in", "note", []))).toEqual([]);
  expect(await findIds(is("eq", "driver", 7))).toEqual([1]);
  expect(await findIds(is("contains", "driver", "Ann"))).toEqual([2, 3]);
  expect(await findIds(is("in", "driver", [7, "Ann"]))).toEqual([1, 2, 3]);
});

test('the condition "period" includes both ends, to the last millisecond of the second, in the caller\'s zone', async () => {
  const period = (from: string, to: string) => findIds(is("period", "moment", { from, to }));
  expect(await period("2026-05-01 02:00:00", "2026-05-01 02:00:00")).toEqual([1, 2]);
  expect(await period("2026-05-01 02:00:01", "2026-05-02 02:00:00")).toEqual([]);
  expect(await period("2026-05-01 00:00:00", "2026-05-01 01:59:59")).toEqual([]);
});

test("conditions combine by and, or and not, and a row without a value matches the negation", async () => {
  const [oil, dear] = [is("contains", "note", "oil"), is("eq", "cost", 100)];
  expect(await findIds(oil, is("eq", "cost", 12.5))).toEqual([]);
  expect(await findIds({ type: "or", conditions: [oil, is("eq", "cost", 12.5)] })).toEqual([1, 2]);
  expect(await findIds({ type: "and", conditions: [oil, dear] })).toEqual([1]);
  expect(await findIds({ type: "not", condition: dear })).toEqual([2, 3]);
  expect(await findIds({ type: "not", condition: { type: "or", conditions: [dear, is("eq", "cost", 12.5)] } })).toEqual(
    [3],
  );
});

const EQ = is("eq", "cost", 1);
const some = (count: number) => Array.from({ length: count }, () => EQ);

test.each([
  [{ type: "nand", conditions: [EQ, EQ] }, "conditions.0.type"],
  ["eq", "conditions.0"],
  [is("eq", "weight", 1), "conditions.0.field"],
  [is("eq", "constructor", 1), "conditions.0.field"],
  [is("eq", "cost", "1"), "conditions.0.value"],
  [is("eq", "cost", 0.1234567), "conditions.0.value"],
  [is("eq", "cost", 1e19), "conditions.0.value"],
  [is("eq", "moment", 1), "conditions.0.field"],
  [is("contains", "note", ""), "conditions.0.value"],
  [is("contains", "note", "x".repeat(761)), "conditions.0.value"],
  [is("contains", "note", "a\0"), "conditions.0.value"],
  [is("in", "note", ["a", ""]), "conditions.0.value.1"],
  [is("in", "note", "a"), "conditions.0.value"],
  [is("period", "note", { from: "2026-05-01 02:00:00", to: "2026-05-01 02:00:00" }), "conditions.0.field"],
  [is("period", "moment", { from: "2026-05-01 02:00:00" }), "conditions.0.value.to"],
  [{ type: "and", conditions: [EQ] }, "conditions.0.conditions"],
  [{ type: "or", conditions: some(61) }, "conditions.0.conditions"],
  [{ type: "not", conditions: [EQ] }, "conditions.0.condition"],
  [
    { type: "or", conditions: [EQ, { type: "not", condition: is("eq", "x", 1) }] },
    "conditions.0.conditions.1.condition.field",
  ],
])("conditions refuse %j by naming %s", async (condition, parameter) => {
  await expect(findIds(condition)).rejects.toMatchObject({ code: 7, extra: { errors: [{ parameter }] } });
});

test("conditions take numbers, texts and counts up to their limits, and refuse one condition more in all", async () => {
  expect(await findIds({ type: "or", conditions: some(60) })).toEqual([]);
  expect(await findIds(is("eq", "cost", 0.123456), is("contains", "note", "x".repeat(760)))).toEqual([]);
  expect(await findIds({ type: "or", conditions: some(60) }, ...some(11))).toEqual([]);
  await expect(findIds({ type: "or", conditions: some(60) }, ...some(12))).rejects.toMatchObject({ code: 7 });
});

test("textsSought finds the texts that are sought in the given fields, at any depth", () => {
  const nested = { type: "not", condition: { type: "or", conditions: [is("in", "7", ["a", 1, "b"]), EQ] } };
  const conditions = [is("contains", "7", "a"), is("contains", "note", "c"), nested, null, "x"];
  expect(textsSought(conditions, (field) => field === "7")).toEqual(["a", "b"]);
  expect(textsSought(null, () => true)).toEqual([]);
});

test("the conditions of one call seek at most 200 texts and 5,000 numbers", async () => {
  const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => 1e6 + index);
  const [oil, dear] = [is("contains", "note", "oil"), is("eq", "cost", 100)];
  const either = (...conditions: unknown[]) => ({ type: "or", conditions });
  expect(await findIds(either(is("in", "note", texts(199)), oil))).toEqual([1]);
  expect(await findIds(either(is("in", "cost", numbers(4999)), dear))).toEqual([1]);
  expect(await findIds(either(is("in", "vehicle", [...texts(200), ...numbers(4999)]), dear))).toEqual([1]);
  const refused = { code: 7, extra: { errors: [{ parameter: "conditions" }] } };
  await expect(findIds(is("in", "note", texts(201)))).rejects.toMatchObject(refused);
  await expect(findIds(either(is("in", "note", texts(200)), oil))).rejects.toMatchObject(refused);
  await expect(findIds(is("in", "cost", numbers(5001)))).rejects.toMatchObject(refused);
  await expect(findIds(either(is("in", "cost", numbers(5000)), dear))).rejects.toMatchObject(refused);
});
