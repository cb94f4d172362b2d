import type { GatewayEnv } from "../../env.ts";

/** The static file at this path; null when there is none. `scripts/system/static-files.ts` puts the files together. */
export async function readStaticFile(path: string, { ASSETS }: Pick<GatewayEnv, "ASSETS">): Promise<StaticFile | null> {
  const { ok, headers, body } = await ASSETS.fetch(new URL(path, "https://static"));
  if (!ok || !body) return null;
  return { type: headers.get("Content-Type") ?? "application/octet-stream", body };
}

/** The content and the content type of a file. */
type StaticFile = { type: string; body: ReadableStream };
