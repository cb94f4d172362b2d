import { expect, test } from "vitest";
import { seal, unseal } from "./seal.ts";

const key = "0f".repeat(32);

test("what was sealed is unsealed, and looks different each time", async () => {
  const [one, other] = [await seal("5f0c1b7e9a2d4c66", key), await seal("5f0c1b7e9a2d4c66", key)];
  expect(one).not.toBe(other);
  expect(await unseal(one, key)).toBe("5f0c1b7e9a2d4c66");
});

test("another key or a changed text is refused", async () => {
  const sealed = await seal("5f0c1b7e9a2d4c66", key);
  await expect(unseal(sealed, "1f".repeat(32))).rejects.toThrow();
  const changed = (sealed.startsWith("A") ? "B" : "A") + sealed.slice(1);
  await expect(unseal(changed, key)).rejects.toThrow();
});
