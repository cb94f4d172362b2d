import type { GatewayCall } from "./call/gateway-call.ts";

/**
 * The id of a request. An id that the caller sends in `X-Request-Id` becomes its beginning, so that callers find their
 * calls in the log; the end is ours, so that no two calls have the same id.
 */
export function createRequestId({ req }: Pick<GatewayCall, "req">): string {
  const own = crypto.randomUUID();
  const callerId = req.header("X-Request-Id") ?? "";
  return CALLER_ID.test(callerId) ? `${callerId}.${own}` : own;
}

const CALLER_ID = /^[\w-]{1,64}$/;
