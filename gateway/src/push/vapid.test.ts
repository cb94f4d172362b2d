import { createECDH } from "node:crypto";
import { importJWK, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { signVapid, vapidPublicKeyOf } from "./vapid.ts";

const pair = createECDH("prime256v1");
pair.generateKeys();
const env = { VAPID_PRIVATE_KEY: pair.getPrivateKey("base64url"), VAPID_SUBJECT: "mailto:operator@example.com" };

const SIGNED = /^vapid t=(?<token>\S+), k=(?<shown>\S+)$/;

test.each([
  ["https://push.example.com/wp/abc?x=1", "https://push.example.com"],
  ["https://push.example.com:8443/wp", "https://push.example.com:8443"],
  ["http://127.0.0.1:9000/wp", "http://127.0.0.1:9000"],
])("signVapid signs for the origin of %s, %s", async (endpoint, audience) => {
  const { token = "", shown } = SIGNED.exec(await signVapid(env, endpoint))?.groups ?? {};
  expect(shown).toBe(vapidPublicKeyOf(env));
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const key = await importJWK({ kty: "EC", crv: "P-256", x, y }, "ES256");
  const { payload } = await jwtVerify(token, key, { audience, subject: env.VAPID_SUBJECT });
  expect(payload.exp).toBeGreaterThan(0);
});
