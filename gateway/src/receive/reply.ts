import { ApiError } from "#shared/error/api-error.ts";
import type { Answer } from "#shared/operation/declaration.ts";
import { failureOf } from "#shared/operation/serve.ts";
import type { Rate } from "../credential/guard/fixed-window.ts";
import type { GatewayCall } from "./gateway-call.ts";
import { discardBody } from "./read-body.ts";

/** An answer as it leaves the gateway: kept by no cache, unless it has a validator to be asked for again with. */
export function reply(call: GatewayCall, answer: Answer): Response {
  if (answer.status === 429) call.header("Retry-After", String(waitSeconds(call.get("rate"))));
  if (!(answer instanceof Response)) return new Response(answer.body, { status: answer.status, headers: JSON_REPLY });
  if (!answer.headers.has("ETag")) call.header("Cache-Control", NOT_KEPT);
  return answer;
}

/** On every reply to a valid credential, whatever comes of the call. */
export function showRate(call: GatewayCall, rate: Rate) {
  call.set("rate", rate);
  call.header("RateLimit-Limit", String(rate.limit));
  call.header("RateLimit-Remaining", String(rate.remaining));
  call.header("RateLimit-Reset", String(Math.ceil(rate.resetMs / 1000)));
}

/** Whatever was thrown on the way, as an answer. */
export async function refuse(thrown: unknown, call: GatewayCall): Promise<Response> {
  await discardBody(call.req.raw).catch(() => undefined);
  return reply(call, failureOf(thrown, { path: call.req.path, request_id: call.get("requestId") }));
}

/** A service answers its own failures: what it throws all the same means that it is not there. */
export function unavailable(thrown: unknown): never {
  throw new ApiError(14, {}, { cause: thrown });
}

function waitSeconds(rate: Rate | undefined) {
  return rate ? Math.ceil(rate.resetMs / 1000) : ADDRESS_WAIT_SECONDS;
}

const ADDRESS_WAIT_SECONDS = 10;
const NOT_KEPT = "no-store";
const JSON_REPLY = { "Content-Type": "application/json", "Cache-Control": NOT_KEPT };
