import type { Next } from "hono";
import { keepAlive } from "#shared/background/keep-alive.ts";
import { TUS_ABILITIES } from "#shared/contract/file/resumable-upload.ts";
import { throwUnavailable } from "../unavailable.ts";
import { readQuery } from "./body/read-request.ts";
import { Caller } from "./call/caller.ts";
import { type GatewayCall, originOf, pathOf } from "./call/gateway-call.ts";
import { startTiming } from "./record-call.ts";
import { reply } from "./reply.ts";

/** Adds the abilities of resumable uploads (tus) to the answer to `OPTIONS`. */
export async function offerResumable(call: GatewayCall, next: Next) {
  for (const [name, value] of Object.entries(TUS_ABILITIES)) call.header(name, value);
  await next();
}

/**
 * Passes a request and its body as a stream to the files service. Counted by address: it carries a token, no hash. An
 * upload that has arrived is stored although its client has disconnected.
 */
export async function passStream(call: GatewayCall): Promise<Response> {
  startTiming(call, STREAM_PATH.exec(pathOf(call))?.[0]);
  await new Caller(call).admit(undefined);
  const answer = call.env.FILES.fetch(toForwardedRequest(call));
  if (call.req.raw.body) keepAlive(answer.catch(() => undefined));
  return reply(call, await answer.catch(throwUnavailable));
}

/** Passes a download to the files service. Without a token in the path, it needs a hash whose user sees the file. */
export async function passDownload(call: GatewayCall): Promise<Response> {
  if (!PATH_WITHOUT_TOKEN.test(pathOf(call))) return passStream(call);
  startTiming(call, "/file/download");
  const principal = await new Caller(call).admit(readQuery(call.req.raw).hash);
  const request = toForwardedRequest(call);
  request.headers.delete("Authorization");
  return reply(
    call,
    await call.env.FILES.fetchFor(principal, new Request(withoutQuery(request.url), request)).catch(throwUnavailable),
  );
}

/** The request under the public URL, from which the files service derives the URLs in its answers. */
function toForwardedRequest({ req, env, get }: GatewayCall): Request {
  const address = env.PUBLIC_URL ? env.PUBLIC_URL + req.url.slice(originOf(req.url).length) : req.url;
  const request = new Request(address, req.raw);
  request.headers.set("X-Request-Id", get("requestId"));
  return request;
}

function withoutQuery(url: string) {
  return url.split("?", 1).join();
}

/** The part of a stream's path without ids and tokens, under which the stream is counted. */
const STREAM_PATH = /^\/file\/(?:upload|download)|^\/static/;
const PATH_WITHOUT_TOKEN = /^\/file\/download\/(?:preview\/[^/]*\/)?\d+$/;
