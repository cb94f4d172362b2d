import type { Next } from "hono";
import { ApiError } from "#shared/error/api-error.ts";
import type { GatewayCall } from "./call/gateway-call.ts";

/**
 * Refuses a request that did not come through the door of a local system, with 111: the sender could choose its address.
 * A deployed gateway has no door key, because only the platform's edge reaches it.
 */
export async function requireDoor({ req, env }: GatewayCall, next: Next) {
  if (env.DOOR_KEY && req.header("FMS-Door-Key") !== env.DOOR_KEY) throw new ApiError(111);
  await next();
}
