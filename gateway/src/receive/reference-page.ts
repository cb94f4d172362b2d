import type { GatewayEnv } from "../env.ts";

/** Whether the path is that of the API reference, or of a file which it loads. */
export function isReferencePath(path: string) {
  return path === "/docs" || path.startsWith("/docs/");
}

/** The page that shows `openapi.json` and calls operations; it and its files ask no host but this one. */
export async function referencePage(path: string, env: GatewayEnv): Promise<Response | undefined> {
  const name = path.slice("/docs".length);
  const isPage = name === "" || name === "/";
  const file = await env.REPORTS.referenceFile(isPage ? "/index.html" : name);
  if (!file) return undefined;
  const type = { "Content-Type": file.type };
  if (isPage) return new Response(file.body, { headers: { ...type, "Content-Security-Policy": SAME_HOST } });
  // Its name changes when it does. What has no validator would not be kept.
  const kept = { "Cache-Control": "public, max-age=31536000, immutable", ETag: `"${name}"` };
  return new Response(file.body, { headers: { ...type, ...kept } });
}

/** The library of the page writes its styles into it; scripts come as files alone. */
const SAME_HOST = [
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
