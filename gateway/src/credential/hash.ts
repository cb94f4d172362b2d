import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type HashEnv, hashWithKey } from "#shared/secret/keyed-hash.ts";

/** A new credential: 24 random hexadecimal digits and 8 of checksum. */
export function generateHash(env: HashEnv): string {
  const random = randomBytes(12).toString("hex");
  return random + checksumOf(random, env);
}

/** True if the checksum is right. Guessed hashes are refused without a query. */
export function isGenuineHash(hash: string, env: HashEnv): boolean {
  return timingSafeEqual(Buffer.from(hash.slice(24)), Buffer.from(checksumOf(hash.slice(0, 24), env)));
}

/** The keyed hash of a credential: the only form in which it is stored, and the name of its guard. */
export function keyOf(hash: string, env: HashEnv): string {
  return hashWithKey("credential", hash, env);
}

function checksumOf(random: string, env: HashEnv): string {
  return createHmac("sha256", env.CREDENTIAL_KEY).update(`checksum:${random}`).digest("hex").slice(0, 8);
}
