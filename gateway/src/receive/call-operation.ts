import { ApiError } from "#shared/error/api-error.ts";
import type { ReadRequest } from "#shared/operation/declaration.ts";
import { serve } from "#shared/operation/serve.ts";
import { operations } from "../operations.ts";
import { throwUnavailable } from "../unavailable.ts";
import { readBody, readQuery } from "./body/read-request.ts";
import { Caller } from "./call/caller.ts";
import { addressOf, baseUrlOf, type GatewayCall, pathOf } from "./call/gateway-call.ts";
import { startTiming } from "./record-call.ts";
import { reply } from "./reply.ts";
import { ownerOf } from "./routes.ts";

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
  const { hash, ...parameters } = await readBody(req.raw, query, caller);
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
  if (owner === "GATEWAY") return reply(call, await handle(request, principal, env));
  return reply(call, await env[owner].handle(request, principal).catch(throwUnavailable));
}

const handle = serve(operations);
