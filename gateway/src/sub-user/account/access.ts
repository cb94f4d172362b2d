import type { Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { GatewayEnv } from "../../env.ts";

/** Throws 236 unless the tariffs of all the account's trackers include sub-users. */
export async function requireMultilevel(env: GatewayEnv, principal: Principal) {
  const { allowed } = await env.FLEET.accessOf(principal, "multilevel_access");
  if (!allowed) throw new ApiError(236);
}

/** Like `requireMultilevel`, and throws 262 unless all these trackers belong to the account. */
export async function requireMultilevelForTrackers(env: GatewayEnv, principal: Principal, tracker_ids: number[]) {
  const { allowed, known } = await env.FLEET.accessOf(principal, "multilevel_access", tracker_ids);
  if (!allowed) throw new ApiError(236);
  if (known.length < new Set(tracker_ids).size) throw new ApiError(262);
}
