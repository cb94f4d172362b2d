import { expect, test } from "vitest";
import { findHash } from "./find-hash.ts";

const HASH = "0123456789abcdef0123456789abcdef";

test.each([
  ["JSON", `{"hash":"${HASH}","id":1}`],
  ["JSON with spaces, behind other members", `{"label": "the hash", "hash" : "${HASH}"}`],
  ["JSON behind a member that is no text", `{"filter":{"hash":1},"hash":"${HASH}"}`],
  ["a form", `hash=${HASH}`],
  ["a form behind other fields", `rehash=1&id=3&hash=${HASH}&x=y`],
])("findHash finds the hash in %s", (_, text) => {
  expect(findHash(new TextEncoder().encode(text))).toBe(HASH);
});

test.each(["", '{"label":"hash"}', `{"hash":"${HASH}`, `{"rehash":"${HASH}"}`, `{"hash":"${"a".repeat(300)}"}`])(
  "findHash finds none in %j",
  (text) => {
    expect(findHash(new TextEncoder().encode(text))).toBeUndefined();
  },
);

test("findHash finds the hash behind a thousand members of the same name", () => {
  const text = `{"list":[${Array(1000).fill('{"hash":null}').join()}],"hash":"${HASH}"}`;
  expect(findHash(new TextEncoder().encode(text))).toBe(HASH);
});
