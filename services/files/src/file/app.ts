import { waitUntil } from "cloudflare:workers";
import { type Context, Hono } from "hono";
import { ApiError } from "#shared/error/api-error.ts";
import { failureOf } from "#shared/operation/serve.ts";
import type { FilesEnv } from "../env.ts";
import { showAvatar } from "../image/avatar.ts";
import { createDownloadUrl, download, downloadPreview } from "./download.ts";
import { receiveUpload } from "./receive.ts";

/** Uploads and downloads, at the addresses that callers use. Neither has a hash: a token of the one file is shown. */
export const app = new Hono<{ Bindings: FilesEnv }>({ strict: false })
  .basePath("/api-v2")
  .post("/file/upload/:file_id", async (call) => {
    const receiving = receiveUpload(parseFileId(call.req.param("file_id")), call.req.raw, call.env);
    // Also where the sender has gone: what has begun is ended in order.
    waitUntil(receiving.catch(() => undefined));
    const { id, filename, size, mime_type } = await receiving;
    const file = { id, name: filename ?? "", size, mime_type };
    const base_url = `${new URL(call.req.url).origin}/api-v2`;
    const download_url = await createDownloadUrl(base_url, file, call.env);
    return call.json({ success: true, value: { ...file, download_url } });
  })
  // In front of the files: their ids are numbers.
  .get("/file/download/preview/:side/:file_id/:token/:name?", ({ req, env }) =>
    downloadPreview(parseFileId(req.param("file_id")), req.param("token"), req.param("side"), req.raw, env),
  )
  // The name is for browsers, which store the file under it.
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

/** No file's for what is none. */
export function parseFileId(text: string) {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

export function answerError(thrown: unknown, { req }: Pick<Context, "req">): Response {
  // The rest of the address is a token.
  const path = req.path.split("/").slice(0, 5).join("/");
  const { status, body } = failureOf(thrown, { path, request_id: req.header("X-Request-Id") ?? "" });
  return new Response(body, { status, headers: { "Content-Type": "application/json" } });
}
