import type { Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { genuineKeyOf, hasHashForm } from "../credential/genuine-key.ts";
import { guardOf } from "../credential/guard/guard-stub.ts";
import type { GatewayEnv } from "../env.ts";
import { addSocket, removeSocket } from "./count-socket.ts";

/** The credential that a socket belongs to; `key` is its keyed hash. */
export type Attachment = { key: string; user_id: number; time_zone: string; expires_at: number };

/** Registers the socket with the guard of the hash's credential, and counts a call. The socket closes with the credential. */
export async function attachSocket(
  env: GatewayEnv,
  hash: unknown,
  socket: string,
): Promise<Attachment & { principal: Principal }> {
  if (!hasHashForm(hash)) throw new ApiError(3);
  const key = genuineKeyOf(hash, env);
  if (!key) throw new ApiError(4);
  const { rate, principal, isWithinLimit } = await guardOf(env, key).attach(key, socket);
  if (!principal || !ACCEPTED_CREDENTIALS.includes(principal.credential)) throw new ApiError(4);
  if (!rate.allowed || !isWithinLimit) throw new ApiError(15);
  const { user_id, time_zone, expires_at } = principal;
  if (!(await addSocket(env, { user_id }, socket))) {
    await guardOf(env, key).detach(socket);
    throw new ApiError(15);
  }
  return { key, user_id, time_zone, expires_at, principal };
}

/** Removes the socket from its credential and its user. */
export async function detachSocket(env: GatewayEnv, { key, user_id }: Attachment, socket: string): Promise<void> {
  await removeSocket(env, { user_id }, socket);
  await guardOf(env, key).detach(socket);
}

const ACCEPTED_CREDENTIALS: Principal["credential"][] = ["session", "delegated", "api_key"];
