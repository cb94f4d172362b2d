import type { Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { genuineKey, hasHashForm } from "../credential/genuine-key.ts";
import { guardOf } from "../credential/guard/of-credential.ts";
import type { GatewayEnv } from "../env.ts";

/** Whose a socket is; the key is the credential's keyed hash. */
export type Attachment = { key: string; time_zone: string; expires_at: number };

/** Makes the socket one of the credential's, which ends with it. A message counts as a call. */
export async function attach(
  env: GatewayEnv,
  hash: unknown,
  socket: string,
): Promise<Attachment & { principal: Principal }> {
  if (!hasHashForm(hash)) throw new ApiError(3);
  const key = genuineKey(hash, env);
  if (!key) throw new ApiError(4);
  const { rate, principal, hasRoom } = await guardOf(env, key).attach(key, socket);
  if (!principal || !ACCEPTED.includes(principal.credential)) throw new ApiError(4);
  if (!rate.allowed || !hasRoom) throw new ApiError(15);
  return { key, time_zone: principal.time_zone, expires_at: principal.expires_at, principal };
}

const ACCEPTED: Principal["credential"][] = ["session", "delegated", "api_key"];
