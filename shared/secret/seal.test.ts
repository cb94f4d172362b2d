import { decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import { seal, unseal } from "./seal.ts";

const key = "0e".repeat(32);
const newKey = "1f".repeat(32);

test("what was sealed is unsealed, and looks different each time", async () => {
  const one = await seal("5f0c1b7e9a2d4c66", key);
  expect(one).not.toBe(await seal("5f0c1b7e9a2d4c66", key));
  expect(await unseal(one, key)).toBe("5f0c1b7e9a2d4c66");
});

test("a sealed value says how and with which key it was sealed, never with what in it", async () => {
  const sealed = await seal("secret", key);
  expect(decodeProtectedHeader(sealed)).toEqual({ alg: "dir", enc: "A256GCM", kid: expect.stringMatching(/^\w{8}$/) });
  expect(sealed).not.toContain(key.slice(0, 8));
});

test("another key and a changed value do not open it", async () => {
  const sealed = await seal("secret", key);
  await expect(unseal(sealed, newKey)).rejects.toThrow();
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
  await expect(unseal(changed, key)).rejects.toThrow();
});

test("after a change of keys the new one seals, and both open until the old one is taken away", async () => {
  const before = await seal("secret", key);
  const changed = `${newKey},${key}`;
  expect(await unseal(before, changed)).toBe("secret");
  const after = await seal("secret", changed);
  expect(await unseal(after, newKey)).toBe("secret");
  await expect(unseal(after, key)).rejects.toThrow();
  await expect(unseal(before, newKey)).rejects.toThrow();
});

test.each(["", "0e", "0e".repeat(33), `${key},`, `${key};${newKey}`, "zz".repeat(32)])(
  "%j is no list of keys",
  (keys) => expect(seal("secret", keys)).rejects.toThrow("64 hexadecimal digits"),
);
