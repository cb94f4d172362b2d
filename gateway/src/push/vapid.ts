import { Buffer } from "node:buffer";
import { createECDH } from "node:crypto";
import { importJWK, SignJWT } from "jose";
import type { GatewayEnv } from "../env.ts";

/** The public key that browsers subscribe with: an uncompressed P-256 point in base64url. */
export function vapidPublicKeyOf({ VAPID_PRIVATE_KEY }: Pick<GatewayEnv, "VAPID_PRIVATE_KEY">): string {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(VAPID_PRIVATE_KEY, "base64url");
  return pair.getPublicKey("base64url");
}

/** The `Authorization` header by which a push service knows the sender (RFC 8292). It is good for half a day. */
export async function signVapid(
  env: Pick<GatewayEnv, "VAPID_PRIVATE_KEY" | "VAPID_SUBJECT">,
  endpoint: string,
): Promise<string> {
  const publicKey = vapidPublicKeyOf(env);
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const key = await importJWK({ kty: "EC", crv: "P-256", x, y, d: env.VAPID_PRIVATE_KEY }, "ES256");
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "ES256", typ: "JWT" })
    .setAudience(new URL(endpoint).origin)
    .setSubject(env.VAPID_SUBJECT)
    .setExpirationTime("12h")
    .sign(key);
  return `vapid t=${token}, k=${publicKey}`;
}
