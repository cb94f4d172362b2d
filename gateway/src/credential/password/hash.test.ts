import { expect, test } from "vitest";
import { hashPassword, passwordFits } from "./hash.ts";

test("a password fits its own stored form and no other", async () => {
  const stored = await hashPassword("secret123 ü");
  expect(await passwordFits("secret123 ü", stored)).toBe(true);
  expect(await passwordFits("secret123 u", stored)).toBe(false);
  expect(await passwordFits("secret123 ü", await hashPassword("other"))).toBe(false);
});

test("equal passwords are stored differently, and never in clear", async () => {
  const [one, other] = [await hashPassword("secret123"), await hashPassword("secret123")];
  expect(one).not.toBe(other);
  expect(one).not.toContain("secret123");
});

test("nothing fits where nothing is stored, not even what the stand-in would take", async () => {
  expect(await passwordFits("", undefined)).toBe(false);
  expect(await passwordFits("secret123", undefined)).toBe(false);
});
