import { expect, test } from "vitest";
import { hashPassword } from "./hash.ts";
import { policyOf, requireNewPassword, requirePolicy } from "./policy.ts";

const strict = { PASSWORD_POLICY: "strict" };
const standard = { PASSWORD_POLICY: "standard" };

test.each(["Abcdefgh123!", "Äbcdefgh 12#", "aA1*aA1*aA1*aA1*aA1*"])("%j is strict enough", (password) => {
  expect(() => requirePolicy(strict, password)).not.toThrow();
});

test.each([
  ["Abcdefgh12!", "too short"],
  ["abcdefgh123!", "without an upper-case letter"],
  ["ABCDEFGH123!", "without a lower-case letter"],
  ["Abcdefghijk!", "without a digit"],
  ["Abcdefgh1234", "without one of the characters"],
  ["Abcdefgh123-", "with another character than those"],
])("%j is refused where the policy is strict: it is %s", (password) => {
  expect(() => requirePolicy(strict, password)).toThrow(expect.objectContaining({ code: 7 }));
  expect(() => requirePolicy(standard, password)).not.toThrow();
});

test("a misspelt policy is the strict one", () => {
  expect(["standard", "strict", "Standard", ""].map((PASSWORD_POLICY) => policyOf({ PASSWORD_POLICY }))).toEqual([
    ...["standard", "strict", "strict", "strict"],
  ]);
});

test("the standard policy does not look at the last passwords", async () => {
  const known = { password: await hashPassword("secret123", {}), last_passwords: [] };
  await requireNewPassword(standard, "secret123", async () => known);
});
