import type { GatewayEnv } from "../env.ts";
import { isGenuine, keyOf } from "./hash.ts";

/** Whether it looks like the hash of a credential. */
export function hasHashForm(hash: unknown): hash is string {
  return typeof hash === "string" && HASH_FORM.test(hash);
}

/** Undefined for a hash that was not made here. Two keyed hashes a call add up, so the last callers' are kept. */
export function genuineKey(hash: string, env: GatewayEnv): string | undefined {
  const known = keys.get(hash);
  if (known || !isGenuine(hash, env)) return known;
  const key = keyOf(hash, env);
  keep(keys, KEPT_KEYS, hash, key);
  return key;
}

/** As many of the last ones as that, to spare another look. */
export function keep<Value>(kept: Map<string, Value>, most: number, name: string, value: Value) {
  if (kept.size >= most) kept.clear();
  kept.set(name, value);
}

const HASH_FORM = /^[0-9a-f]{32}$/;
const KEPT_KEYS = 10_000;
const keys = new Map<string, string>();
