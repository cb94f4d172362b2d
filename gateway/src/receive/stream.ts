import { admit } from "./admit.ts";
import { addressOf, type GatewayCall } from "./gateway-call.ts";
import { reply, unavailable } from "./reply.ts";

/** Bodies pass through as they come. Callers show a token instead of a hash, so they count as those without one. */
export async function passStream(call: GatewayCall): Promise<Response> {
  await admit(undefined, addressOf(call), call.env);
  const request = new Request(call.req.raw);
  request.headers.set("X-Request-Id", call.get("requestId"));
  return reply(call, await call.env.FILES.fetch(request).catch(unavailable));
}
