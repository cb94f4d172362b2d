import { createHmac } from "node:crypto";

export type HashEnv = { CREDENTIAL_KEY: string };

/** The only form in which a credential is stored. Hashes for other purposes differ, and nobody makes them without the key. */
export function hashWithKey(purpose: string, text: string, env: HashEnv): string {
  return createHmac("sha256", env.CREDENTIAL_KEY).update(`${purpose}:${text}`).digest("base64url");
}
