import type { GatewayEnv } from "../../env.ts";
import { guardOf } from "./of-credential.ts";

/** Makes the guards of these credentials ask anew who calls; many of them in waves. */
export async function refreshGuards(env: GatewayEnv, keys: string[]) {
  for (let start = 0; start < keys.length; start += WAVE) {
    await Promise.all(keys.slice(start, start + WAVE).map((key) => guardOf(env, key).refresh()));
  }
}

const WAVE = 500;
