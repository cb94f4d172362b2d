import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Answer, ReadRequest } from "#shared/operation/declaration.ts";
import { failureOf, serve } from "#shared/operation/serve.ts";
import { nowMs } from "#shared/time/clock.ts";
import type { Rate } from "./credential/guard/fixed-window.ts";
import { refreshGuards } from "./credential/guard/refresh.ts";
import { endBlocked, sweepEnded } from "./credential/queries.ts";
import type { GatewayEnv } from "./env.ts";
import { sweepMail } from "./mail/queries.ts";
import { sendDue } from "./mail/send.ts";
import { operations } from "./operations.ts";
import { sweepPushes } from "./push/delivery/queries.ts";
import { sendPushes } from "./push/delivery/send.ts";
import { admit, hashOf } from "./receive/admit.ts";
import { DOCS_PAGE, openApi } from "./receive/documentation.ts";
import { health } from "./receive/health.ts";
import { discardBody, readDeviceRequest, readParameters } from "./receive/read-body.ts";
import { ownerOf } from "./receive/routes.ts";
import { isStreamed, streamed } from "./receive/streamed.ts";
import { tellZones } from "./user/account-zone/tell.ts";
import { tellRemovals } from "./user/removal/tell.ts";

export { AuditLog } from "./audit/log.ts";
export { CredentialGuard } from "./credential/guard/credential-guard.ts";
export { LoginAttempts } from "./login/attempts/login-attempts.ts";
export { MailRoom } from "./mail/room.ts";
export { PushDesk } from "./push/delivery/desk.ts";

export default {
  async fetch(request, env) {
    const request_id = crypto.randomUUID();
    const url = new URL(request.url);
    const rated: { rate?: Rate } = {};
    const answer = await respond(request, url, request_id, rated, env).catch(async (thrown) => {
      await discardBody(request).catch(() => undefined);
      return failureOf(thrown, { path: url.pathname, request_id });
    });
    return finished(answer, request, request_id, rated.rate);
  },

  async scheduled(_event, env) {
    const db = openDatabase(env);
    await sweepEnded(db, nowMs(env));
    await refreshGuards(env, await endBlocked(db));
    await sweepMail(db, nowMs(env));
    await sendDue(env);
    await sweepPushes(db, nowMs(env));
    await sendPushes(env);
    await tellRemovals(env);
    await tellZones(env);
  },
} satisfies ExportedHandler<GatewayEnv>;

async function respond(
  request: Request,
  url: URL,
  request_id: string,
  rated: { rate?: Rate },
  env: GatewayEnv,
): Promise<Answer> {
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: PREFLIGHT });
  const base_url = url.origin + VERSION;
  const path = url.pathname.startsWith(`${VERSION}/`)
    ? url.pathname.slice(VERSION.length).replace(/\/$/, "")
    : undefined;
  if (path === undefined) return atRoot(url.pathname, request.method, env);
  if (path === "/openapi.json") return onlyRead(request.method) ?? Response.json(await openApi(env, base_url));
  const owner = ownerOf(path);
  if (!owner) throw new ApiError(111);
  if (path.startsWith("/ingest/"))
    return env.GEO.ingest(await readDeviceRequest(request), request_id).catch(unavailable);
  if (isStreamed(path)) return streamed(request, path, { base_url, request_id }, env);

  const { typed, textual } = await readParameters(request, url);
  const { headers, method } = request;
  const address = headers.get("CF-Connecting-IP") ?? "";
  const { principal, rate } = await admit(hashOf({ typed, textual }, headers.get("Authorization")), address, env);
  rated.rate = rate;
  if (rate && !rate.allowed) throw new ApiError(15);
  const read: ReadRequest = {
    path,
    method,
    typed,
    textual,
    iso: headers.get("FMS-ISO-DateTime") === "true",
    address,
    user_agent: headers.get("User-Agent") ?? "",
    base_url,
    request_id,
  };
  if (owner === "GATEWAY") return handle(read, principal, env);
  return env[owner].handle(read, principal).catch(unavailable);
}

async function atRoot(path: string, method: string, env: GatewayEnv): Promise<Answer> {
  if (path === "/health") return onlyRead(method) ?? health(env);
  if (path === "/docs")
    return onlyRead(method) ?? new Response(DOCS_PAGE, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  throw new ApiError(111);
}

function onlyRead(method: string): undefined {
  if (method !== "GET" && method !== "HEAD" && method !== "POST") throw new ApiError(112);
}

/** A service answers its own failures: what it throws all the same means that it is not there. */
function unavailable(thrown: unknown): never {
  throw new ApiError(14, {}, { cause: thrown });
}

/** What every reply has, whoever made it. */
function finished(answer: Answer, request: Request, request_id: string, rate: Rate | undefined): Response {
  const headers: Record<string, string> = { ...EVERY_REPLY, "X-Request-Id": request_id };
  if (rate) {
    headers["RateLimit-Limit"] = String(rate.limit);
    headers["RateLimit-Remaining"] = String(rate.remaining);
    headers["RateLimit-Reset"] = String(Math.ceil(rate.resetMs / 1000));
  }
  if (answer.status === 429)
    headers["Retry-After"] = String(rate ? Math.ceil(rate.resetMs / 1000) : ADDRESS_WAIT_SECONDS);
  const body = request.method === "HEAD" ? null : answer.body;
  if (!(answer instanceof Response))
    return new Response(body, { status: answer.status, headers: { ...headers, ...JSON_REPLY } });
  const all = new Headers(answer.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  // What has a validator may be kept and asked for again.
  if (!all.has("ETag")) all.set("Cache-Control", NOT_KEPT);
  return new Response(body, { status: answer.status, headers: all });
}

const handle = serve(operations);
const VERSION = "/api-v2";
const ADDRESS_WAIT_SECONDS = 10;
const NOT_KEPT = "no-store";
const JSON_REPLY = { "Content-Type": "application/json", "Cache-Control": NOT_KEPT };
const EVERY_REPLY = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id",
  "X-Content-Type-Options": "nosniff",
};
const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, FMS-ISO-DateTime, X-Limit-D, X-Ingest-Key, If-None-Match, Range",
  "Access-Control-Max-Age": "86400",
};
