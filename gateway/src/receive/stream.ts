import type { Next } from "hono";
import { TUS_ABILITIES } from "#shared/contract/resumable-upload.ts";
import { unavailable } from "../unavailable.ts";
import { admit } from "./admit.ts";
import { addressOf, type GatewayCall, originOf } from "./gateway-call.ts";
import { reply } from "./reply.ts";

/** What clients of resumable uploads may ask first. */
export async function offerResumable(call: GatewayCall, next: Next) {
  for (const [name, value] of Object.entries(TUS_ABILITIES)) call.header(name, value);
  await next();
}

/** Bodies pass through as they come. Callers show a token instead of a hash, so they count as those without one. */
export async function passStream(call: GatewayCall): Promise<Response> {
  await admit(undefined, addressOf(call), call.env);
  // At the public address: by it files makes those that it answers with.
  const { url } = call.req;
  const address = call.env.PUBLIC_URL ? call.env.PUBLIC_URL + url.slice(originOf(url).length) : url;
  const request = new Request(address, call.req.raw);
  request.headers.set("X-Request-Id", call.get("requestId"));
  return reply(call, await call.env.FILES.fetch(request).catch(unavailable));
}
