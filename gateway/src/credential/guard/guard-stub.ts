import type { GatewayEnv } from "../../env.ts";

/** The guard of a credential; `key` is the credential's keyed hash. */
export function guardOf(env: GatewayEnv, key: string) {
  return env.GUARDS.getByName(key);
}
