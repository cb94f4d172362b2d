import type { GatewayEnv } from "../../env.ts";

/** A credential's guard is the object that is named by its keyed hash. */
export function guardOf(env: GatewayEnv, key: string) {
  return env.GUARDS.getByName(key);
}
