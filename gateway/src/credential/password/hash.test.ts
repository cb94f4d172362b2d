import { expect, test } from "vitest";
import { hashPassword, isRightPassword } from "./hash.ts";

const CHEAP = { PASSWORD_COST: "16", LOCAL_RUN: "1" };

test("a password fits its own stored form and no other", async () => {
  const stored = await hashPassword("secret123 ü", CHEAP);
  expect(await isRightPassword("secret123 ü", stored, CHEAP)).toBe(true);
  expect(await isRightPassword("secret123 u", stored, CHEAP)).toBe(false);
  expect(await isRightPassword("secret123 ü", await hashPassword("other", CHEAP), CHEAP)).toBe(false);
});

test("equal passwords are stored differently, and never in clear", async () => {
  const [one, other] = [await hashPassword("secret123", {}), await hashPassword("secret123", {})];
  expect(one).not.toBe(other);
  expect(one).not.toContain("secret123");
});

test("isRightPassword accepts no password where none is stored, not even the one of the dummy form", async () => {
  expect(await isRightPassword("", undefined, {})).toBe(false);
  expect(await isRightPassword("secret123", undefined, CHEAP)).toBe(false);
});

test("a password is checked at the cost at which it was stored, whatever the cost is now", async () => {
  const [dear, cheap] = [await hashPassword("secret123", {}), await hashPassword("secret123", CHEAP)];
  expect([dear, cheap].map((stored) => stored.split("$")[1])).toEqual(["16384", "16"]);
  expect(await isRightPassword("secret123", dear, CHEAP)).toBe(true);
  expect(await isRightPassword("secret123", cheap, {})).toBe(true);
});

test("hashPassword refuses to make cheap hashes on a deployed Worker", async () => {
  await expect(hashPassword("secret123", { PASSWORD_COST: "16" })).rejects.toThrow("local runs only");
});
