import type { GatewayEnv } from "../../env.ts";

/** The static file at this path; null when there is none. `scripts/system/static-files.ts` puts the files together. */
export async function readStaticFile(path: string, { ASSETS }: Pick<GatewayEnv, "ASSETS">): Promise<StaticFile | null> {
  const { ok, headers, body } = await ASSETS.fetch(new URL(path, "https://static"));
  if (!ok || !body) return null;
  const type = headers.get("Content-Type") ?? "application/octet-stream";
  return { type, etag: headers.get("ETag") ?? "", body };
}

/** The content of a file with its content type, and the ETag that names this content. */
type StaticFile = { type: string; etag: string; body: ReadableStream };
