import type { Context } from "hono";
import type { Rate } from "../credential/guard/fixed-window.ts";
import type { GatewayEnv } from "../env.ts";
import type { Parameters } from "./body/read-request.ts";

/** What the parts of the gateway's application know of a request besides the request itself. */
export type GatewayApp = {
  Bindings: GatewayEnv;
  Variables: { requestId: string; rate?: Rate; parameters?: Parameters; began?: number };
};
export type GatewayCall = Context<GatewayApp>;

/** What every address but those at the host's root begins with. */
export const VERSION = "/api-v2";

/** Of an operation: without the version; the router has taken off a trailing slash. */
export function pathOf({ req }: GatewayCall) {
  return req.path.slice(VERSION.length);
}

/** `https://host/api-v2`, for links: never what a caller says that the host is, unless nothing was settled. */
export function baseUrlOf({ req, env }: GatewayCall) {
  return (env.PUBLIC_URL || originOf(req.url)) + VERSION;
}

/** At which address this call came. */
export function originOf(url: string) {
  return url.slice(0, url.indexOf("/", "https://".length));
}

/** The caller's IP address. */
export function addressOf({ req }: GatewayCall) {
  return req.header("CF-Connecting-IP") ?? "";
}
