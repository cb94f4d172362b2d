import { nobody, type Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";
import { cacheValue, genuineKeyOf, hasHashForm } from "../../credential/genuine-key.ts";
import type { Rate } from "../../credential/guard/fixed-window.ts";
import { guardOf } from "../../credential/guard/guard-stub.ts";
import type { GatewayEnv } from "../../env.ts";
import { callsPerCount } from "./calls-per-count.ts";

type Admission = { principal: Principal; rate?: Rate; allowed: boolean };

/**
 * The caller of a hash, and whether it calls too often. Calls are counted by credential and by account; those without a
 * valid credential by network, above whose limit this throws 15.
 */
export async function admit(hash: unknown, network: string, env: GatewayEnv): Promise<Admission> {
  if (!hasHashForm(hash)) return admitStranger("none", network, env);
  const key = genuineKeyOf(hash, env);
  if (!key) return admitStranger("ended", network, env);
  const known = cachedPrincipals.get(key);
  if (known) await countVisitor(known.principal, network, env);
  const { rate, version, principal = known?.principal } = await guardOf(env, key).admit(key, known?.version);
  if (!version || !principal) return admitStranger("ended", network, env);
  if (version !== known?.version) cacheValue(cachedPrincipals, MAX_CACHED_PRINCIPALS, key, { version, principal });
  return { principal, rate, allowed: rate.allowed && (await isWithinAccountRate(principal, env)) };
}

/**
 * Counts calls of an account, not of operators. Counting takes as long as the rest of a small call, so one call of
 * `callsPerCount`, chosen at random, is counted. A refused account stays refused for `REFUSAL_MS`.
 */
async function isWithinAccountRate({ account_id }: Principal, env: GatewayEnv): Promise<boolean> {
  if (account_id === 0) return true;
  const key = String(account_id);
  if ((refusedUntil.get(key) ?? 0) > systemNow()) return false;
  if (Math.random() * callsPerCount(Number(env.ACCOUNT_RATE_PER_SECOND)) >= 1) return true;
  const { success } = await env.ACCOUNT_LIMIT.limit({ key });
  if (!success) cacheValue(refusedUntil, MAX_CACHED_REFUSALS, key, systemNow() + REFUSAL_MS);
  return success;
}

/**
 * Counts calls with a delivery session by address. Its hash is public, so one visitor must not use up the rate of all.
 * Only a cached principal reveals the kind, so the first call with a hash goes uncounted.
 */
async function countVisitor({ credential }: Principal, network: string, env: GatewayEnv): Promise<void> {
  if (credential !== "delivery") return;
  const { success } = await env.VISITOR_LIMIT.limit({ key: network });
  if (!success) throw new ApiError(15);
}

async function admitStranger(credential: "none" | "ended", network: string, env: GatewayEnv): Promise<Admission> {
  const { success } = await env.ADDRESS_LIMIT.limit({ key: network });
  if (!success) throw new ApiError(15);
  return { principal: nobody(credential), allowed: true };
}

/** Refused accounts, and until when, in milliseconds. */
const refusedUntil = new Map<string, number>();
const REFUSAL_MS = 10_000;
const MAX_CACHED_REFUSALS = 10_000;
const MAX_CACHED_PRINCIPALS = 1_000;
/** Principals of recent callers by key. On each call the guard confirms the version or sends the current principal. */
const cachedPrincipals = new Map<string, { version: string; principal: Principal }>();
