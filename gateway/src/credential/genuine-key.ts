import type { GatewayEnv } from "../env.ts";
import { isGenuineHash, keyOf } from "./hash.ts";

/** True if the value has the form of a credential's hash; its checksum is not tested. */
export function hasHashForm(hash: unknown): hash is string {
  return typeof hash === "string" && HASH_FORM.test(hash);
}

/** The keyed hash of a credential; undefined if its checksum is wrong. Cached, because it costs two HMACs on every call. */
export function genuineKeyOf(hash: string, env: GatewayEnv): string | undefined {
  const known = cachedKeys.get(hash);
  if (known || !isGenuineHash(hash, env)) return known;
  const key = keyOf(hash, env);
  cacheValue(cachedKeys, MAX_CACHED_KEYS, hash, key);
  return key;
}

/** Puts a value into a cache, which is emptied when it has `maxEntries`. */
export function cacheValue<Value>(cache: Map<string, Value>, maxEntries: number, key: string, value: Value) {
  if (cache.size >= maxEntries) cache.clear();
  cache.set(key, value);
}

const HASH_FORM = /^[0-9a-f]{32}$/;
const MAX_CACHED_KEYS = 10_000;
const cachedKeys = new Map<string, string>();
