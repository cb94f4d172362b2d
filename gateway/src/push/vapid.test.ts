import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { vapidPublicKeyOf } from "./vapid.ts";

test("vapidPublicKeyOf gives the uncompressed public key of the private one", () => {
  const {
    d = "",
    x = "",
    y = "",
  } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    format: "jwk",
  });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  expect(vapidPublicKeyOf({ VAPID_PRIVATE_KEY: d })).toBe(point.toString("base64url"));
});
