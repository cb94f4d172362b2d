import type { GatewayEnv } from "../env.ts";
import { isGenuineHash, keyOf } from "./hash.ts";

/** Whether it looks like the hash of a credential. */
export function hasHashForm(hash: unknown): hash is string {
  return typeof hash === "string" && HASH_FORM.test(hash);
}

/** Undefined for a hash that was not made here. Two keyed hashes a call add up, so the last callers' are kept. */
export function genuineKeyOf(hash: string, env: GatewayEnv): string | undefined {
  const known = cachedKeys.get(hash);
  if (known || !isGenuineHash(hash, env)) return known;
  const key = keyOf(hash, env);
  cacheValue(cachedKeys, MAX_CACHED_KEYS, hash, key);
  return key;
}

/** As many of the last ones as that, to spare another look. */
export function cacheValue<Value>(cache: Map<string, Value>, maxEntries: number, name: string, value: Value) {
  if (cache.size >= maxEntries) cache.clear();
  cache.set(name, value);
}

const HASH_FORM = /^[0-9a-f]{32}$/;
const MAX_CACHED_KEYS = 10_000;
const cachedKeys = new Map<string, string>();
