import { waitUntil } from "cloudflare:workers";
import { type Context, Hono, type Next } from "hono";
import { ApiError } from "#shared/error/api-error.ts";
import { logSuccessfulCall } from "#shared/operation/call-log.ts";
import { failureOf } from "#shared/operation/serve.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { FilesEnv } from "../env.ts";
import { showAvatar } from "../image/avatar.ts";
import { createDownloadUrl, download, downloadPreview } from "./download.ts";
import { receiveUpload } from "./receive.ts";

/** Uploads and downloads. The requests carry no hash but a token, which is for one file. */
export const app = new Hono<{ Bindings: FilesEnv }>({ strict: false })
  .basePath("/api-v2")
  .use(logSuccess)
  .post("/file/upload/:file_id", async (call) => {
    const receiving = receiveUpload(parseFileId(call.req.param("file_id")), call.req.raw, call.env);
    // The upload is finished or undone even if the client disconnects.
    waitUntil(receiving.catch(() => undefined));
    const { id, filename, size, mime_type } = await receiving;
    const file = { id, name: filename ?? "", size, mime_type };
    const base_url = `${new URL(call.req.url).origin}/api-v2`;
    const download_url = await createDownloadUrl(base_url, file, call.env);
    return call.json({ success: true, value: { ...file, download_url } });
  })
  // Before the route of files, which would match, too.
  .get("/file/download/preview/:side/:file_id/:token/:name?", ({ req, env }) =>
    downloadPreview(parseFileId(req.param("file_id")), req.param("token"), req.param("side"), req.raw, env),
  )
  // Browsers save the file under the last segment.
  .get("/file/download/:file_id/:token/:name?", ({ req, env }) =>
    download(parseFileId(req.param("file_id")), req.param("token"), req.raw, env),
  )
  .get("/static/:owner/avatars/:name", ({ req, env }) =>
    showAvatar(req.param("owner"), req.param("name"), req.raw, env),
  )
  .notFound(() => {
    throw new ApiError(112);
  })
  .onError(answerError);

/** Logs a sampled call; `answerError` logs failures. */
export async function logSuccess(call: Context, next: Next) {
  const began = systemNow();
  await next();
  const path = `/${call.req.path.split("/").slice(2, 4).join("/")}`;
  const request_id = call.req.header("X-Request-Id") ?? "";
  const logged = { request_id, worker: "files", path, code: 0, ms: systemNow() - began };
  if (call.res.status < 400) logSuccessfulCall(logged);
}

/** The id of a file; 0, which no file has, for any other text. */
export function parseFileId(text: string) {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

export function answerError(thrown: unknown, { req }: Pick<Context, "req">): Response {
  const request_id = req.header("X-Request-Id") ?? "";
  // The token follows.
  const path = req.path.split("/").slice(0, 5).join("/");
  const { status, body } = failureOf(thrown, { request_id, worker: "files", path });
  return new Response(body, { status, headers: { "Content-Type": "application/json" } });
}
