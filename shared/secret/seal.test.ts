import { decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import { seal, sealWithKey, unseal, unsealWithKey } from "./seal.ts";

const key = "0e".repeat(32);
const newKey = "1f".repeat(32);

test("unseal opens what seal made, and seal gives another text each time", async () => {
  const one = await seal("5f0c1b7e9a2d4c66", key);
  expect(one).not.toBe(await seal("5f0c1b7e9a2d4c66", key));
  expect(await unseal(one, key)).toBe("5f0c1b7e9a2d4c66");
});

test("a sealed value says its algorithm and its key's id, and shows nothing of the key", async () => {
  const sealed = await seal("secret", key);
  expect(decodeProtectedHeader(sealed)).toEqual({ alg: "dir", enc: "A256GCM", kid: expect.stringMatching(/^\w{8}$/) });
  expect(sealed).not.toContain(key.slice(0, 8));
});

test("unseal refuses another key and a changed value", async () => {
  const sealed = await seal("secret", key);
  await expect(unseal(sealed, newKey)).rejects.toThrow();
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
  await expect(unseal(changed, key)).rejects.toThrow();
});

test("seal uses the first key of a list, and unseal each of them until it is removed", async () => {
  const before = await seal("secret", key);
  const changed = `${newKey},${key}`;
  expect(await unseal(before, changed)).toBe("secret");
  const after = await seal("secret", changed);
  expect(await unseal(after, newKey)).toBe("secret");
  await expect(unseal(after, key)).rejects.toThrow();
  await expect(unseal(before, newKey)).rejects.toThrow();
});

test.each(["", "0e", "0e".repeat(33), `${key},`, `${key};${newKey}`, "zz".repeat(32)])(
  "seal refuses %j as a list of keys",
  (keys) => expect(seal("secret", keys)).rejects.toThrow("64 hexadecimal digits"),
);

test("unsealWithKey opens what sealWithKey made with the same key, and nothing else", async () => {
  const [own, other] = [Buffer.from(key, "hex"), Buffer.from(newKey, "hex")];
  const sealed = await sealWithKey("secret", own);
  expect(await unsealWithKey(sealed, own)).toBe("secret");
  await expect(unsealWithKey(sealed, other)).rejects.toThrow();
});
