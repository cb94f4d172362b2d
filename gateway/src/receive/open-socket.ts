import type { Next } from "hono";
import { ApiError } from "#shared/error/api-error.ts";
import { addSocket } from "../live/count-socket.ts";
import { networkOf } from "../network.ts";
import { throwUnavailable } from "../unavailable.ts";
import { Caller } from "./call/caller.ts";
import { addressOf, type GatewayCall } from "./call/gateway-call.ts";

/**
 * Opens the connection of a client. It is counted by address, because the hash comes with the first message. This route
 * precedes the middleware that sets headers: the response of an upgrade is immutable.
 */
export async function openSocket(call: GatewayCall, next: Next): Promise<Response | undefined> {
  if (call.req.header("Upgrade")?.toLowerCase() !== "websocket") {
    await next();
    return undefined;
  }
  const name = crypto.randomUUID();
  call.set("requestId", name);
  await new Caller(call).admit(undefined);
  const network = networkOf(addressOf(call));
  if (!(await addSocket(call.env, { network }, name).catch(throwUnavailable))) throw new ApiError(15);
  return call.env.SOCKETS.getByName(name).fetch(call.req.raw);
}
