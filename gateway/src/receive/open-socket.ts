import type { Next } from "hono";
import { admit } from "./admit.ts";
import { addressOf, type GatewayCall } from "./gateway-call.ts";

/**
 * A client shows its hash in its first message, so that an address counts here as without one. It comes in front of what
 * adds headers to replies, which the reply that opens a connection does not take.
 */
export async function openSocket(call: GatewayCall, next: Next): Promise<Response | undefined> {
  if (call.req.header("Upgrade")?.toLowerCase() !== "websocket") {
    await next();
    return undefined;
  }
  const name = crypto.randomUUID();
  call.set("requestId", name);
  await admit(undefined, addressOf(call), call.env);
  return call.env.SOCKETS.getByName(name).fetch(call.req.raw);
}
