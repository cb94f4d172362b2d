import type { Principal } from "#shared/caller/principal.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { ReadRequest } from "#shared/operation/declaration.ts";
import { serve } from "#shared/operation/serve.ts";
import { systemNow } from "#shared/time/clock.ts";
import { operations } from "../operations.ts";
import { unavailable } from "../unavailable.ts";
import { admit, shownHash, takeHash } from "./admit.ts";
import { addressOf, baseUrl, type GatewayCall, pathOf } from "./gateway-call.ts";
import { isDear, readParameters, readQuery } from "./read-body.ts";
import { reply } from "./reply.ts";
import { ownerOf } from "./routes.ts";

/** Finds who calls and how often, and hands the call to the service that its path belongs to. */
export async function callOperation(call: GatewayCall): Promise<Response> {
  call.set("began", systemNow());
  const { req, env } = call;
  const address = addressOf(call);
  const path = pathOf(call);
  const owner = ownerOf(path);
  if (!owner) throw new ApiError(111);
  // To read what is large costs, so it is counted first, by what is known by then; the body's own hash still goes first.
  const isCounted = isDear(req.raw);
  const shown = isCounted ? shownHash(readQuery(req.raw), req.header("Authorization")) : undefined;
  const early = isCounted ? await admitted(call, shown) : undefined;
  const parameters = await readParameters(req.raw);
  call.set("parameters", parameters);
  const hash = takeHash(parameters, req.header("Authorization"));
  const principal = early && hash === shown ? early : await admitted(call, hash);
  const request: ReadRequest = {
    path,
    method: req.method,
    ...parameters,
    shows_hash: hash !== undefined,
    iso: req.header("FMS-ISO-DateTime") === "true",
    address,
    user_agent: req.header("User-Agent") ?? "",
    base_url: baseUrl(call),
    request_id: call.get("requestId"),
  };
  if (owner === "GATEWAY") return reply(call, await handle(request, principal, env));
  return reply(call, await env[owner].handle(request, principal).catch(unavailable));
}

/** Who calls; 15 for who calls too often. */
export async function admitted(call: GatewayCall, hash: unknown): Promise<Principal> {
  const { principal, rate, allowed } = await admit(hash, addressOf(call), call.env);
  call.set("rate", rate);
  if (!allowed) throw new ApiError(15);
  return principal;
}

const handle = serve(operations);
