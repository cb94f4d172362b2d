import { nobody, type Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";
import { genuineKey, hasHashForm, keep } from "../credential/genuine-key.ts";
import type { Rate } from "../credential/guard/fixed-window.ts";
import { guardOf } from "../credential/guard/of-credential.ts";
import type { GatewayEnv } from "../env.ts";
import { callsPerCount } from "./calls-per-count.ts";
import type { Parameters } from "./read-body.ts";

type Admission = { principal: Principal; rate?: Rate; allowed: boolean };

/**
 * Who calls, and whether too often: counted by credential, and for all credentials of an account together; without a valid
 * one by address.
 */
export async function admit(hash: unknown, address: string, env: GatewayEnv): Promise<Admission> {
  if (!hasHashForm(hash)) return stranger("none", address, env);
  const key = genuineKey(hash, env);
  if (!key) return stranger("ended", address, env);
  const known = admitted.get(key);
  if (known) await countVisitor(known.principal, address, env);
  const { rate, version, principal = known?.principal } = await guardOf(env, key).admit(key, known?.version);
  if (!version || !principal) return stranger("ended", address, env);
  if (version !== known?.version) keep(admitted, KEPT_PRINCIPALS, key, { version, principal });
  return { principal, rate, allowed: rate.allowed && (await hasRate(principal, env)) };
}

/**
 * Operators are of no account. To count takes as long as the rest of a small call, so one call of many is counted, at
 * random, and stands for them; whoever is refused stays so for as long as is counted.
 */
async function hasRate({ account_id }: Principal, env: GatewayEnv): Promise<boolean> {
  if (account_id === 0) return true;
  const key = String(account_id);
  if ((refused.get(key) ?? 0) > systemNow()) return false;
  if (Math.random() * callsPerCount(Number(env.ACCOUNT_RATE_PER_SECOND)) >= 1) return true;
  const { success } = await env.ACCOUNT_LIMIT.limit({ key });
  if (!success) keep(refused, KEPT_ACCOUNTS, key, systemNow() + COUNTED_MS);
  return success;
}

/**
 * The key of a public page is everybody's: who guesses external ids, or calls without a pause, is to keep nobody else from
 * following a delivery. So each address is counted, before the key is. Before it is known here, one call goes uncounted.
 */
async function countVisitor({ credential }: Principal, address: string, env: GatewayEnv): Promise<void> {
  if (credential !== "delivery") return;
  const { success } = await env.VISITOR_LIMIT.limit({ key: address });
  if (!success) throw new ApiError(15);
}

/**
 * Takes the hash out of the parameters, so that no service ever has it: the body's counts before the query's, the
 * header last. Undefined where there is none.
 */
export function takeHash({ typed, textual }: Parameters, authorization: string | undefined): unknown {
  const hash = typed.hash ?? shownHash(textual, authorization);
  delete typed.hash;
  delete textual.hash;
  return hash;
}

/** The hash that is there before a body is read. */
export function shownHash(textual: Parameters["textual"], authorization: string | undefined): unknown {
  return textual.hash ?? /^(?:FMS|Bearer) (\S+)$/i.exec(authorization ?? "")?.[1];
}

async function stranger(credential: "none" | "ended", address: string, env: GatewayEnv): Promise<Admission> {
  const { success } = await env.ADDRESS_LIMIT.limit({ key: address });
  if (!success) throw new ApiError(15);
  return { principal: nobody(credential), allowed: true };
}

/** Accounts, and until when. */
const refused = new Map<string, number>();
const COUNTED_MS = 10_000;
const KEPT_ACCOUNTS = 10_000;
const KEPT_PRINCIPALS = 1_000;
/** The last callers by their keys, each as its guard knew it: the guard says whether it still does. */
const admitted = new Map<string, { version: string; principal: Principal }>();
