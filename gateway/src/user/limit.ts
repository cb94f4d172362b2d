import type { Limits, Principal } from "#shared/principal.ts";
import type { GatewayEnv } from "../env.ts";

/** How many of a thing the account may own: what its operator settled, else what the installation allows. */
export function limitOf(env: GatewayEnv, { limits }: Principal, thing: keyof Limits): number {
  // The variable names every limit.
  const defaults: Required<Limits> = JSON.parse(env.DEFAULT_LIMITS);
  return limits[thing] ?? defaults[thing];
}
