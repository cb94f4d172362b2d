import { waitUntil } from "cloudflare:workers";
import { type Context, Hono } from "hono";
import { ApiError } from "#shared/error/api-error.ts";
import { failureOf } from "#shared/operation/serve.ts";
import type { FilesEnv } from "../env.ts";
import { showAvatar } from "../image/avatar.ts";
import { createDownloadUrl, download, downloadPreview } from "./download.ts";
import { receiveUpload } from "./receive.ts";

/** Uploads and downloads. The requests carry no hash but a token, which is for one file. */
export const app = new Hono<{ Bindings: FilesEnv }>({ strict: false })
  .basePath("/api-v2")
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

/** The id of a file; 0, which no file has, for any other text. */
export function parseFileId(text: string) {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

export function answerError(thrown: unknown, { req }: Pick<Context, "req">): Response {
  // The log must not contain the token, which follows.
  const path = req.path.split("/").slice(0, 5).join("/");
  const { status, body } = failureOf(thrown, { path, request_id: req.header("X-Request-Id") ?? "" });
  return new Response(body, { status, headers: { "Content-Type": "application/json" } });
}
