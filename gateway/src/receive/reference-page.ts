import { ApiError } from "#shared/error/api-error.ts";
import type { GatewayCall } from "./call/gateway-call.ts";
import { reply } from "./reply.ts";
import { readStaticFile } from "./static-file/static-file.ts";

/** The API reference, a page that shows `openapi.json` and calls operations, and its files. It uses no other host. */
export async function showReference(call: GatewayCall): Promise<Response> {
  const name = call.req.path.slice("/docs".length);
  const isPage = name === "" || name === INDEX_PATH;
  const file = await readStaticFile(`/reference${isPage ? INDEX_PATH : name}`, call.env);
  if (!file) throw new ApiError(111);
  const type = { "Content-Type": file.type };
  if (isPage)
    return reply(call, new Response(file.body, { headers: { ...type, "Content-Security-Policy": PAGE_POLICY } }));
  // The name of a file contains its digest. Without an ETag, `reply` would forbid caching.
  const caching = { "Cache-Control": "public, max-age=31536000, immutable", ETag: `"${name}"` };
  return reply(call, new Response(file.body, { headers: { ...type, ...caching } }));
}

const INDEX_PATH = "/index.html";

/** The page's library needs inline styles; scripts are allowed from files only. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
