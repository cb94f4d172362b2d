import type { GatewayCall } from "./gateway-call.ts";
import { readDeviceRequest } from "./read-body.ts";
import { reply, unavailable } from "./reply.ts";

/** Points of a device, which has no hash: its own service makes out who it is. */
export async function ingest(call: GatewayCall): Promise<Response> {
  const request = await readDeviceRequest(call.req.raw);
  return reply(call, await call.env.GEO.ingest(request, call.get("requestId")).catch(unavailable));
}
