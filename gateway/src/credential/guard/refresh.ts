import type { GatewayEnv } from "../../env.ts";
import { guardOf } from "./guard-stub.ts";

/**
 * Makes the guards of these credentials load their principals anew. A call may reach only so many objects, so for many keys
 * one guard of each batch refreshes the rest of its batch.
 */
export async function refreshGuards(env: GatewayEnv, keys: string[]) {
  const batches: string[][] = [];
  for (let start = 0; start < keys.length; start += MAX_GUARDS_PER_CALL)
    batches.push(keys.slice(start, start + MAX_GUARDS_PER_CALL));
  for (const batch of batches) {
    const [first = ""] = batch;
    if (batches.length === 1) await refreshEach(env, batch);
    else await guardOf(env, first).refreshAll(batch);
  }
}

export async function refreshEach(env: GatewayEnv, keys: string[]) {
  await Promise.all(keys.map((key) => guardOf(env, key).refresh()));
}

const MAX_GUARDS_PER_CALL = 500;
