import type { Context } from "hono";
import type { Rate } from "../../credential/guard/fixed-window.ts";
import type { GatewayEnv } from "../../env.ts";
import type { BodyCaller } from "../body/body-caller.ts";
import type { Parameters } from "../body/read-request.ts";

/** The bindings and per-call variables of the gateway's Hono application. `timed`: the operation, and when it began in ms. */
export type GatewayApp = {
  Bindings: GatewayEnv;
  Variables: {
    requestId: string;
    rate?: Rate;
    caller?: BodyCaller;
    parameters?: Parameters;
    timed?: { operation: string; began: number };
  };
};
export type GatewayCall = Context<GatewayApp>;

/** The prefix of all API paths. */
export const VERSION = "/api-v2";

/** The path of the operation, without the version. The router has removed a trailing slash. */
export function pathOf({ req }: GatewayCall) {
  return req.path.slice(VERSION.length);
}

/** `https://host/api-v2`, for links. The `Host` header is trusted only if `PUBLIC_URL` is not set. */
export function baseUrlOf({ req, env }: GatewayCall) {
  return (env.PUBLIC_URL || originOf(req.url)) + VERSION;
}

/** `https://host` of a URL. */
export function originOf(url: string) {
  return url.slice(0, url.indexOf("/", "https://".length));
}

/** The caller's IP address. */
export function addressOf({ req }: GatewayCall) {
  return req.header("CF-Connecting-IP") ?? "";
}
