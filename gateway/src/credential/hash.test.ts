import { expect, test } from "vitest";
import { generateHash, isGenuineHash, keyOf } from "./hash.ts";

const env = { CREDENTIAL_KEY: "a".repeat(64) };

test("isGenuineHash accepts a hash of generateHash, and refuses it with any digit changed", () => {
  const hash = generateHash(env);
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect(isGenuineHash(hash, env)).toBe(true);
  for (let digit = 0; digit < 32; digit++) {
    const other = hash[digit] === "0" ? "1" : "0";
    expect(isGenuineHash(hash.slice(0, digit) + other + hash.slice(digit + 1), env)).toBe(false);
  }
});

test("isGenuineHash refuses a hash of another installation", () => {
  expect(isGenuineHash(generateHash({ CREDENTIAL_KEY: "b".repeat(64) }), env)).toBe(false);
});

test("keyOf, the stored form, shows nothing of the hash", () => {
  const hash = generateHash(env);
  expect(keyOf(hash, env)).toHaveLength(43);
  expect(keyOf(hash, env)).not.toContain(hash.slice(0, 8));
});
