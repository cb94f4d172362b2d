import type { Answer } from "#shared/operation/declaration.ts";
import { redirectAnswer } from "#shared/operation/redirect.ts";
import { failureOf } from "#shared/operation/serve.ts";
import type { Rate } from "../credential/guard/fixed-window.ts";
import { discardBody } from "./body/bytes.ts";
import { readQuery } from "./body/read-request.ts";
import { type GatewayCall, pathOf } from "./gateway-call.ts";
import { recordCall } from "./record-call.ts";

/** An answer as it leaves the gateway: kept by no cache, unless it has a validator to be asked for again with. */
export function reply(call: GatewayCall, answer: Answer): Response {
  recordCall(call, answer);
  const headers = headersOf(call, answer.status);
  if (!(answer instanceof Response)) {
    headers["Content-Type"] = "application/json";
    return new Response(answer.body, { status: answer.status, headers });
  }
  // Its own may not be changed where it comes from another Worker.
  const all = new Headers(answer.headers);
  if (all.has("ETag")) delete headers["Cache-Control"];
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Response(answer.body, { status: answer.status, headers: all });
}

/** On every reply: its id, and to a valid credential how many calls are left. */
function headersOf(call: GatewayCall, status: number): Record<string, string> {
  const headers: Record<string, string> = { "X-Request-Id": call.get("requestId"), "Cache-Control": "no-store" };
  const rate = call.get("rate");
  if (rate) {
    headers["RateLimit-Limit"] = String(rate.limit);
    headers["RateLimit-Remaining"] = String(rate.remaining);
    headers["RateLimit-Reset"] = waitSecondsOf(rate);
  }
  // Where the credential may call, it was the account or the address that may not, or too many things are under way.
  if (status === 429) headers["Retry-After"] = rate && !rate.allowed ? waitSecondsOf(rate) : LONG_WAIT_SECONDS;
  return headers;
}

/** Whatever was thrown on the way, as an answer; where the caller wants it elsewhere, on its way there. */
export async function refuse(thrown: unknown, call: GatewayCall): Promise<Response> {
  await discardBody(call.req.raw).catch(() => undefined);
  const answer = failureOf(thrown, { path: call.req.path, request_id: call.get("requestId") });
  const { typed, textual } = call.get("parameters") ?? { typed: {}, textual: readQuery(call.req.raw) };
  return reply(call, redirectAnswer(answer, { path: pathOf(call), typed, textual }));
}

function waitSecondsOf({ resetMs }: Rate) {
  return String(Math.ceil(resetMs / 1000));
}

/** As long as addresses and accounts are counted for. */
const LONG_WAIT_SECONDS = "10";
