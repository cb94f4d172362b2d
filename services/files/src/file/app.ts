import { waitUntil } from "cloudflare:workers";
import { type Context, Hono } from "hono";
import { TUS_VERSION } from "#shared/contract/resumable-upload.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { failureOf } from "#shared/operation/serve.ts";
import type { FilesEnv } from "../env.ts";
import { download, downloadUrl } from "./download.ts";
import { receive } from "./receive.ts";
import { answerOf, isRefusal } from "./resumable/refusal.ts";
import { addContent, giveBack, showOffset } from "./resumable/resume.ts";

type FilesCall = Context<{ Bindings: FilesEnv }>;

/** Uploads and downloads, at the addresses that callers use. Neither has a hash: a token of the one file is shown. */
export const app = new Hono<{ Bindings: FilesEnv }>({ strict: false })
  .basePath("/api-v2/file")
  .use("/upload/:file_id", async (call, next) => {
    await next();
    if (call.req.header("Tus-Resumable") !== undefined) call.res.headers.set("Tus-Resumable", TUS_VERSION);
  })
  .post("/upload/:file_id", async (call) => {
    const receiving = receive(idOf(call.req.param("file_id")), call.req.raw, call.env);
    // Also where the sender has gone: what has begun is ended in order.
    waitUntil(receiving.catch(() => undefined));
    const { id, filename, size, mime_type } = await receiving;
    const file = { id, name: filename ?? "", size, mime_type };
    const base_url = `${new URL(call.req.url).origin}/api-v2`;
    const download_url = await downloadUrl(base_url, file, call.env);
    return call.json({ success: true, value: { ...file, download_url } });
  })
  .get("/upload/:file_id", (call) => {
    if (call.req.raw.method !== "HEAD") throw new ApiError(112);
    return resumed(call, showOffset);
  })
  .patch("/upload/:file_id", (call) => resumed(call, addContent))
  .delete("/upload/:file_id", (call) => resumed(call, giveBack))
  // The name is for browsers, which store the file under it.
  .get("/download/:file_id/:token/:name?", ({ req, env }) =>
    download(idOf(req.param("file_id")), req.param("token"), req.raw, env),
  )
  .notFound(() => {
    throw new ApiError(112);
  })
  .onError(refuse);

/** Also where the sender has gone, what has come in is stored. */
async function resumed(
  { req, env }: Context<{ Bindings: FilesEnv }>,
  step: (file_id: number, request: Request, env: FilesEnv) => Promise<Response>,
): Promise<Response> {
  const stepping = step(idOf(req.param("file_id") ?? ""), req.raw, env).catch(async (thrown) => {
    await discard(req.raw.body);
    throw thrown;
  });
  waitUntil(stepping.catch(() => undefined));
  return stepping;
}

/** A client that is still sending would not hear of what is wrong. */
async function discard(body: Request["body"]) {
  const reader = body?.getReader();
  for (let size = 0; reader && size < DISCARDED_BYTES; ) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return;
    size += value?.byteLength ?? 0;
  }
  await reader?.cancel().catch(() => undefined);
}

/** No file's for what is none. */
function idOf(text: string) {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

function refuse(thrown: unknown, { req }: FilesCall): Response {
  if (isRefusal(thrown)) return answerOf(thrown);
  // The rest of the address is a token.
  const path = req.path.split("/").slice(0, 5).join("/");
  const { status, body } = failureOf(thrown, { path, request_id: req.header("X-Request-Id") ?? "" });
  return new Response(body, { status, headers: { "Content-Type": "application/json" } });
}

/** As much as any file may have. */
const DISCARDED_BYTES = 17 * 1024 * 1024;
