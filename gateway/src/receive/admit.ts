import { nobody, type Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Rate } from "../credential/guard/fixed-window.ts";
import { guardOf } from "../credential/guard/of-credential.ts";
import { isGenuine, keyOf } from "../credential/hash.ts";
import type { GatewayEnv } from "../env.ts";
import type { Parameters } from "./read-body.ts";

type Admission = { principal: Principal; rate?: Rate };

/** Who calls, and whether too often: counted by credential, without a valid one by address. */
export async function admit(hash: unknown, address: string, env: GatewayEnv): Promise<Admission> {
  if (typeof hash !== "string" || !HASH_FORM.test(hash)) return { principal: await stranger("none", address, env) };
  const key = keys.get(hash) ?? genuineKey(hash, env);
  if (!key) return { principal: await stranger("ended", address, env) };
  const { principal, rate } = await guardOf(env, key).admit(key);
  if (!principal) return { principal: await stranger("ended", address, env) };
  return { principal, rate };
}

/**
 * Takes the hash out of the parameters, so that no service ever has it: the body's counts before the query's, the
 * header last. Undefined where there is none.
 */
export function takeHash({ typed, textual }: Parameters, authorization: string | undefined): unknown {
  const hash = typed.hash ?? textual.hash;
  delete typed.hash;
  delete textual.hash;
  return hash ?? /^(?:FMS|Bearer) (\S+)$/i.exec(authorization ?? "")?.[1];
}

/** Undefined for a hash that was not made here. Two keyed hashes a call add up, so the last callers' are kept. */
function genuineKey(hash: string, env: GatewayEnv): string | undefined {
  if (!isGenuine(hash, env)) return undefined;
  const key = keyOf(hash, env);
  if (keys.size >= KEPT_KEYS) keys.clear();
  keys.set(hash, key);
  return key;
}

async function stranger(credential: "none" | "ended", address: string, env: GatewayEnv) {
  const { success } = await env.ADDRESS_LIMIT.limit({ key: address });
  if (!success) throw new ApiError(15);
  return nobody(credential);
}

const HASH_FORM = /^[0-9a-f]{32}$/;
const KEPT_KEYS = 10_000;
const keys = new Map<string, string>();
