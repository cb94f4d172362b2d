import { expect, test } from "vitest";
import { hashPassword } from "./hash.ts";
import { policyOf, requireNewPassword, requirePolicy } from "./policy.ts";

const strict = { PASSWORD_POLICY: "strict" };
const standard = { PASSWORD_POLICY: "standard" };

test.each(["Abcdefgh123!", "Äbcdefgh 12#", "aA1*aA1*aA1*aA1*aA1*"])(
  "the strict policy accepts the password %j",
  (password) => {
    expect(() => requirePolicy(strict, password)).not.toThrow();
  },
);

test.each([
  ["Abcdefgh12!", "too short"],
  ["abcdefgh123!", "without an upper-case letter"],
  ["ABCDEFGH123!", "without a lower-case letter"],
  ["Abcdefghijk!", "without a digit"],
  ["Abcdefgh1234", "without one of the characters"],
  ["Abcdefgh123-", "with another character than those"],
])("the strict policy refuses the password %j, which is %s, and the standard policy accepts it", (password) => {
  expect(() => requirePolicy(strict, password)).toThrow(expect.objectContaining({ code: 7 }));
  expect(() => requirePolicy(standard, password)).not.toThrow();
});

test("policyOf reads a misspelt policy as the strict one", () => {
  expect(["standard", "strict", "Standard", ""].map((PASSWORD_POLICY) => policyOf({ PASSWORD_POLICY }))).toEqual([
    ...["standard", "strict", "strict", "strict"],
  ]);
});

test("the standard policy accepts as new the password that the user has", async () => {
  const known = { password: await hashPassword("secret123", {}), last_passwords: [] };
  await requireNewPassword(standard, "secret123", async () => known);
});
