import type { Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { GeoEnv } from "../../env.ts";

/** Throws 236 unless the tariffs of all trackers include sub-users, and 201 unless the sub-user is the master's. */
export async function requireSubUser(env: GeoEnv, principal: Principal, sub_user_id: number) {
  const { allowed } = await env.FLEET.accessOf(principal, "multilevel_access");
  if (!allowed) throw new ApiError(236);
  if (!principal.sub_user_ids.includes(sub_user_id)) throw new ApiError(201);
}

export const FEATURE = "multilevel_access on all trackers";
