import { createECDH } from "node:crypto";
import type { GatewayEnv } from "../env.ts";

/** The public key that browsers subscribe with: an uncompressed P-256 point in base64url. */
export function vapidPublicKeyOf({ VAPID_PRIVATE_KEY }: Pick<GatewayEnv, "VAPID_PRIVATE_KEY">): string {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(VAPID_PRIVATE_KEY, "base64url");
  return pair.getPublicKey("base64url");
}
