import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_ERROR } from "#shared/database/idempotency/keyed-call.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Answer, ReadRequest } from "#shared/operation/declaration.ts";
import { runInTurn } from "#shared/operation/run-in-turn.ts";
import { holdBytes } from "./body/bytes.ts";
import { readBody, readQuery } from "./body/read-request.ts";
import { Caller } from "./call/caller.ts";
import { addressOf, baseUrlOf, type GatewayCall, pathOf } from "./call/gateway-call.ts";
import { passCall, turnsOf } from "./call/pass-call.ts";
import { ownerOf } from "./call/routes.ts";
import { startTiming } from "./record-call.ts";
import { reply } from "./reply.ts";

/** Identifies and counts the caller, and passes the call to the Worker that owns its path. */
export async function callOperation(call: GatewayCall): Promise<Response> {
  const { req, env } = call;
  const path = pathOf(call);
  const owner = ownerOf(path);
  startTiming(call, owner && path);
  const query = readQuery(req.raw);
  call.set("parameters", query);
  if (!owner) throw new ApiError(111);
  const caller = new Caller(call);
  call.set("caller", caller);
  const { hash, bytes = 0, ...parameters } = await readBody(req.raw, query, caller);
  call.set("parameters", parameters);
  const principal = await caller.admit(hash);
  const request: ReadRequest = {
    path,
    method: req.method,
    ...parameters,
    shows_hash: hash !== undefined,
    iso: req.header("FMS-ISO-DateTime") === "true",
    address: addressOf(call),
    user_agent: req.header("User-Agent") ?? "",
    base_url: baseUrlOf(call),
    request_id: call.get("requestId"),
    ...readIdempotencyKey(call),
  };
  const run = () => passCall(owner, request, principal, env);
  const turns = turnsOf(request, principal, env);
  if (!turns) return reply(call, await run());
  // While a call waits, its body counts as one that is being received: it is in memory.
  const memory = holdBytes(bytes, caller.sender);
  const begin = async () => {
    memory.release();
    return req.method === "HEAD" ? dropBody(await run()) : run();
  };
  return reply(call, await runInTurn(turns, begin).finally(() => memory.release()));
}

/** 7 for a key that is too short, too long, or has characters that are not visible. */
function readIdempotencyKey({ req }: GatewayCall): { idempotency_key?: string } {
  const idempotency_key = req.header("Idempotency-Key");
  if (idempotency_key === undefined) return {};
  if (!IDEMPOTENCY_KEY.test(idempotency_key)) throw invalid("Idempotency-Key", IDEMPOTENCY_KEY_ERROR);
  return { idempotency_key };
}

/** The answer to HEAD without its body: nobody would read it to its end, which ends the turn. */
async function dropBody(answer: Answer): Promise<Answer> {
  if (!(answer instanceof Response)) return answer;
  await answer.body?.cancel();
  return new Response(null, answer);
}
