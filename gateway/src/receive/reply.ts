import type { Answer } from "#shared/operation/declaration.ts";
import { redirectAnswer } from "#shared/operation/redirect.ts";
import { failureOf } from "#shared/operation/serve.ts";
import type { Rate } from "../credential/guard/fixed-window.ts";
import { discardUnread } from "./body/bytes.ts";
import { type GatewayCall, pathOf } from "./call/gateway-call.ts";
import { recordCall } from "./record-call.ts";

/** The response to the caller. Caches must not store it unless it has an ETag. */
export function reply(call: GatewayCall, answer: Answer): Response {
  recordCall(call, answer);
  const headers = headersOf(call, answer.status);
  if (!(answer instanceof Response)) {
    headers["Content-Type"] = "application/json";
    if (answer.replayed) headers["Idempotency-Replayed"] = "true";
    return new Response(answer.body, { status: answer.status, headers });
  }
  // Headers of a response from another Worker are immutable.
  const all = new Headers(answer.headers);
  if (all.has("ETag")) delete headers["Cache-Control"];
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Response(answer.body, { status: answer.status, headers: all });
}

/** Headers of every reply: the request's id and, for a valid credential, its remaining calls. */
function headersOf(call: GatewayCall, status: number): Record<string, string> {
  const headers: Record<string, string> = { "X-Request-Id": call.get("requestId"), "Cache-Control": "no-store" };
  const rate = call.get("rate");
  if (rate) {
    headers["RateLimit-Limit"] = String(rate.limit);
    headers["RateLimit-Remaining"] = String(rate.remaining);
    headers["RateLimit-Reset"] = waitSecondsOf(rate);
  }
  // If the credential is within its rate, the account or address is not, or the isolate is full.
  if (status === 429) headers["Retry-After"] = rate && !rate.allowed ? waitSecondsOf(rate) : LONG_WAIT_SECONDS;
  return headers;
}

/** Answers a thrown error; as a redirection if the caller asked for one. */
export async function refuse(thrown: unknown, call: GatewayCall): Promise<Response> {
  await discardUnread(call.req.raw);
  const answer = failureOf(thrown, {
    path: call.req.path,
    request_id: call.get("requestId"),
    worker: "gateway",
  });
  const parameters = call.get("parameters");
  if (!parameters || !call.get("caller")?.isKnown) return reply(call, answer);
  return reply(call, redirectAnswer(answer, { path: pathOf(call), method: call.req.method, ...parameters }));
}

function waitSecondsOf({ resetMs }: Rate) {
  return String(Math.ceil(resetMs / 1000));
}

/** The period over which calls of addresses and accounts are counted. */
const LONG_WAIT_SECONDS = "10";
