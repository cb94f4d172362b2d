import { ApiError } from "#shared/error/api-error.ts";
import { networkOf } from "../network.ts";
import { throwUnavailable } from "../unavailable.ts";
import { readDeviceRequest } from "./body/read-request.ts";
import { addressOf, type GatewayCall, pathOf } from "./call/gateway-call.ts";
import { startTiming } from "./record-call.ts";
import { reply } from "./reply.ts";

/**
 * Passes a device's request, which has no hash, to the geo service, which identifies the device. Only refused requests are
 * counted by address, against guessing of ids and keys: a whole fleet may share one address.
 */
export async function ingest(call: GatewayCall): Promise<Response> {
  startTiming(call, pathOf(call));
  const request = await readDeviceRequest(call.req.raw, networkOf(addressOf(call)));
  const answer = await call.env.GEO.ingest(request, call.get("requestId")).catch(throwUnavailable);
  const isRefused = answer.status >= 400 && answer.status < 500;
  if (isRefused) await countRefusal(call);
  return reply(call, answer);
}

/** Counted apart from calls of users behind the same address, so that a faulty device does not lock them out. */
async function countRefusal(call: GatewayCall) {
  const { success } = await call.env.ADDRESS_LIMIT.limit({ key: `ingest ${networkOf(addressOf(call))}` });
  if (!success) throw new ApiError(15);
}
