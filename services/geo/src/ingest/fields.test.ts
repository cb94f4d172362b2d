import { expect, test } from "vitest";
import { fieldsOf, firstOf } from "./fields.ts";

test.each([
  "id=1&lat=50.1&lon=8",
  "",
  "?id=1",
  "id",
  "id=",
  "=1",
  "=",
  "&&id=1&",
  "id=1=2",
  "id=1&id=2&lat=3&id=4",
  "a=1&b&c=2",
  "id=%31&a+b=c%2B",
  "id=%zz&x=%",
])("fieldsOf reads from %j the fields that URLSearchParams reads", (text) => {
  const found = [...fieldsOf(text)].flatMap(([name, values]) => values.map((value) => [name, value]));
  const expected = [...new URLSearchParams(text)];
  const names = [...new Set(expected.map(([name]) => name))];
  expect(found).toEqual(names.flatMap((name) => expected.filter(([other]) => other === name)));
});

test("firstOf gives the first of repeated fields, and null for a missing one", () => {
  expect([firstOf(fieldsOf("key=a&key=b"), "key"), firstOf(fieldsOf("a=1"), "key"), firstOf(null, "key")]).toEqual([
    ...["a", null, null],
  ]);
});

test("fieldsOf reads 300,000 fields in one pass", () => {
  const text = Array.from({ length: 300_000 }, (_, index) => `a${index}`).join("&");
  expect(fieldsOf(text).size).toBe(300_000);
});
