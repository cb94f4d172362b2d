import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";
import { throwUnavailable } from "../unavailable.ts";
import { readDeviceRequest } from "./body/read-request.ts";
import { addressOf, type GatewayCall } from "./gateway-call.ts";
import { reply } from "./reply.ts";

/**
 * Points of a device, which has no hash: its own service makes out who it is. What is refused is counted by address, for
 * ids and keys can be tried; what is taken is not, for a whole fleet may be behind one.
 */
export async function ingest(call: GatewayCall): Promise<Response> {
  call.set("began", systemNow());
  const request = await readDeviceRequest(call.req.raw);
  const answer = await call.env.GEO.ingest(request, call.get("requestId")).catch(throwUnavailable);
  const isRefused = answer.status >= 400 && answer.status < 500;
  if (isRefused) await countRefusal(call);
  return reply(call, answer);
}

/** Apart from the calls of users behind the same address, whom a device that errs must not keep out. */
async function countRefusal(call: GatewayCall) {
  const { success } = await call.env.ADDRESS_LIMIT.limit({ key: `ingest ${addressOf(call)}` });
  if (!success) throw new ApiError(15);
}
