import type { Next } from "hono";
import { Caller } from "./call/caller.ts";
import type { GatewayCall } from "./call/gateway-call.ts";

/** Counts a call for its network, with 15 above the limit, on routes that everybody may read. */
export async function countNetwork(call: GatewayCall, next: Next) {
  await new Caller(call).admit(undefined);
  await next();
}
