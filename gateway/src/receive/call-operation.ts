import type { Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { ReadRequest } from "#shared/operation/declaration.ts";
import { serve } from "#shared/operation/serve.ts";
import { operations } from "../operations.ts";
import { throwUnavailable } from "../unavailable.ts";
import { admit } from "./admit.ts";
import { isExpensive, readBody, readQuery } from "./body/read-request.ts";
import { addressOf, baseUrlOf, type GatewayCall, pathOf } from "./gateway-call.ts";
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
  // Large bodies are expensive to read: their callers are counted first, by the hash in query or header. A different
  // hash in the body is counted afterwards and wins.
  const earlyPrincipal = isExpensive(req.raw) ? await requireAdmitted(call, query.hash) : undefined;
  const { hash, ...parameters } = await readBody(req.raw, query);
  call.set("parameters", parameters);
  const principal = earlyPrincipal && hash === query.hash ? earlyPrincipal : await requireAdmitted(call, hash);
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

/** The caller of the hash; 15 if it calls too often. */
export async function requireAdmitted(call: GatewayCall, hash: unknown): Promise<Principal> {
  const { principal, rate, allowed } = await admit(hash, addressOf(call), call.env);
  call.set("rate", rate);
  if (!allowed) throw new ApiError(15);
  return principal;
}

const handle = serve(operations);
