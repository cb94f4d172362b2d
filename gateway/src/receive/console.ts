import { ApiError } from "#shared/error/api-error.ts";
import type { GatewayEnv } from "../env.ts";
import type { GatewayCall } from "./call/gateway-call.ts";
import { reply } from "./reply.ts";
import { readStaticFile } from "./static-file/static-file.ts";

/** The web console: its entry for every path that a browser navigates to, and the files that the entry names. */
export async function showConsole(call: GatewayCall): Promise<Response> {
  const { path } = call.req;
  if (FILE_PATH.test(path)) return showFile(call, path);
  if (path !== "/" && !isNavigation(call)) throw new ApiError(111);
  const entry = await readStaticFile("/console/index.html", call.env);
  // A system of tests has no console unless a test asks for it.
  if (!entry) throw new ApiError(111);
  const headers = {
    "Content-Type": entry.type,
    "Content-Security-Policy": policyOf(call.env),
    "Cache-Control": "no-cache",
    ETag: entry.etag,
  };
  const isKnown = call.req.header("If-None-Match") === entry.etag;
  if (isKnown) await entry.body.cancel();
  return reply(call, new Response(isKnown ? null : entry.body, { status: isKnown ? 304 : 200, headers }));
}

/** Settings for the console before anybody has signed in: the demo account, where `npm start` made one, and map styles. */
export async function showConsoleSettings(call: GatewayCall): Promise<Response> {
  const demo: unknown = call.env.DEMO_LOGIN ? JSON.parse(call.env.DEMO_LOGIN) : null;
  return reply(call, Response.json({ demo, map_styles: mapStylesOf(call.env.MAP_STYLES) }));
}

/** A missing file is 404 and never the entry: the page of an older release must notice that its files are gone. */
async function showFile(call: GatewayCall, path: string): Promise<Response> {
  const file = await readStaticFile(`/console${path}`, call.env);
  if (!file) return reply(call, new Response("There is no such file.", { status: 404 }));
  // The name of a file contains the digest of its content; a file without one is read anew each time.
  const isHashed = path.startsWith("/assets/");
  const caching = isHashed ? "public, max-age=31536000, immutable" : "no-cache";
  const headers = { "Content-Type": file.type, "Cache-Control": caching, ETag: file.etag || `"${path}"` };
  return reply(call, new Response(file.body, { headers }));
}

/** Programs that ask for an unknown path get an error as JSON. A name with a dot is a file, and no page of the console. */
function isNavigation({ req }: GatewayCall): boolean {
  const wantsPage = req.header("Sec-Fetch-Mode") === "navigate" || (req.header("Accept") ?? "").includes("text/html");
  return wantsPage && !/\.[^/]*$/.test(req.path);
}

/** Scripts from our files only. The component library writes inline styles; workers of the map come from our files, too. */
function policyOf({ MAP_STYLES }: Pick<GatewayEnv, "MAP_STYLES">): string {
  const hosts = mapHostsOf(MAP_STYLES).map((host) => ` ${host}`);
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self'${hosts.join("")}`,
    `img-src 'self' data: blob:${hosts.join("")}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function mapHostsOf(styles: string | undefined): string[] {
  return [...new Set(mapStylesOf(styles).map(({ url }) => new URL(url).origin))];
}

function mapStylesOf(styles: string | undefined): { name: string; url: string }[] {
  return styles ? JSON.parse(styles) : [];
}

const FILE_PATH = /^\/(?:assets\/[\w.-]+|favicon\.svg|push-worker\.js)$/;
