import type { Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Answer, ReadRequest } from "#shared/operation/declaration.ts";
import { runInTurn } from "#shared/operation/run-in-turn.ts";
import { serve } from "#shared/operation/serve.ts";
import type { GatewayEnv } from "../env.ts";
import { announceEvents } from "../event/announce.ts";
import { operations } from "../operations.ts";
import { runAfterAnswer } from "../run-after-answer.ts";
import { throwUnavailable } from "../unavailable.ts";
import { holdBytes } from "./body/bytes.ts";
import { readBody, readQuery } from "./body/read-request.ts";
import { Caller } from "./call/caller.ts";
import { addressOf, baseUrlOf, type GatewayCall, pathOf } from "./call/gateway-call.ts";
import { startTiming } from "./record-call.ts";
import { reply } from "./reply.ts";
import { ownerOf } from "./routes.ts";
import { isExpensive } from "./turn/expensive-operations.ts";

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
  };
  const run = (): Promise<Answer> =>
    owner === "GATEWAY"
      ? handleOwn(request, principal, env)
      : env[owner].handle(request, principal).catch(throwUnavailable);
  if (principal.account_id === 0 || !isExpensive(path, parameters)) return reply(call, await run());
  // While a call waits, its body counts as one that is being received: it is in memory.
  const memory = holdBytes(bytes, caller.sender);
  const begin = async () => {
    memory.release();
    return req.method === "HEAD" ? dropBody(await run()) : run();
  };
  const turns = env.ACCOUNT_TURNS.getByName(String(principal.account_id));
  return reply(call, await runInTurn(turns, begin).finally(() => memory.release()));
}

/** The answer to HEAD without its body: nobody would read it to its end, which ends the turn. */
async function dropBody(answer: Answer): Promise<Answer> {
  if (!(answer instanceof Response)) return answer;
  await answer.body?.cancel();
  return new Response(null, answer);
}

/** Runs an operation of the gateway, and announces its changes; `AuditLog` announces those of services. */
async function handleOwn(request: ReadRequest, principal: Principal, env: GatewayEnv): Promise<Answer> {
  const answer = await handle(request, principal, env);
  if (principal.account_id !== 0 && CHANGING.has(request.path))
    await runAfterAnswer(announceEvents(env, [principal.account_id]));
  return answer;
}

const handle = serve(operations, { worker: "gateway" });
const CHANGING = new Set(operations.flatMap(({ path, reads }): string[] => (reads ? [] : [path])));
