import { Secret } from "otpauth";
import { expect, test } from "vitest";
import { findStep, generateSecret, totpUriOf } from "./totp.ts";

const RFC_KEY = Secret.fromLatin1("12345678901234567890").base32;

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("findStep at second %d of RFC 6238 takes the code %s, half a minute early or late too", (second, code) => {
  const step = Math.floor(second / 30);
  expect(findStep(RFC_KEY, code, second * 1000)).toBe(step);
  // A code is good for half a minute before and after its own, not for a minute.
  expect(findStep(RFC_KEY, code, (second - 30) * 1000)).toBe(step);
  expect(findStep(RFC_KEY, code, (second + 30) * 1000)).toBe(step);
  expect(findStep(RFC_KEY, code, (second + 60) * 1000)).toBeUndefined();
});

test.each(["", "28708", "2870822", "abcdef", "94287082"])("findStep refuses %j as a code", (code) => {
  expect(findStep(RFC_KEY, code, 59_000)).toBeUndefined();
});

test("totpUriOf names issuer and login, whatever characters they have", () => {
  const secret = generateSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(generateSecret()).not.toBe(secret);
  const { protocol, host, pathname, searchParams } = new URL(totpUriOf(secret, "Flöte: & Desk", "ann+1@example.com"));
  expect([protocol, host]).toEqual(["otpauth:", "totp"]);
  expect(decodeURIComponent(pathname)).toContain("ann+1@example.com");
  expect(Object.fromEntries(searchParams)).toMatchObject({
    issuer: "Flöte: & Desk",
    secret,
    period: "30",
    digits: "6",
  });
});
