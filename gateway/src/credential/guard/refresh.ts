import type { GatewayEnv } from "../../env.ts";
import { guardOf } from "./guard-stub.ts";

/**
 * Makes the guards of these credentials ask anew who calls. A Worker may ask only so many objects in one call, so one of
 * each wave's passes the word on to the others.
 */
export async function refreshGuards(env: GatewayEnv, keys: string[]) {
  const waves: string[][] = [];
  for (let start = 0; start < keys.length; start += MAX_GUARDS_PER_CALL)
    waves.push(keys.slice(start, start + MAX_GUARDS_PER_CALL));
  for (const wave of waves) {
    const [first = ""] = wave;
    if (waves.length === 1) await refreshEach(env, wave);
    else await guardOf(env, first).refreshAll(wave);
  }
}

export async function refreshEach(env: GatewayEnv, keys: string[]) {
  await Promise.all(keys.map((key) => guardOf(env, key).refresh()));
}

const MAX_GUARDS_PER_CALL = 500;
