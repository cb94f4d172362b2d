import { waitUntil } from "cloudflare:workers";
import { type Context, Hono } from "hono";
import { discardBody } from "#shared/body/read-pieces.ts";
import { TUS_VERSION } from "#shared/contract/file/resumable-upload.ts";
import type { FilesEnv } from "../../env.ts";
import { answerError, app as files, parseFileId } from "../app.ts";
import { isRefusal, toResponse } from "./refusal.ts";
import { addContent, cancelUpload, showOffset } from "./resume.ts";

type FilesCall = Context<{ Bindings: FilesEnv }>;
type StepHandler = (file_id: number, request: Request, env: FilesEnv) => Promise<Response>;

/** The routes of tus, the protocol of resumable uploads, at the URL of a ticket. All other requests go to `files`. */
export const app = new Hono<{ Bindings: FilesEnv }>({ strict: false })
  .get("/api-v2/file/upload/:file_id", (call) =>
    call.req.raw.method === "HEAD" ? runStep(call, showOffset) : files.fetch(call.req.raw, call.env, call.executionCtx),
  )
  .patch("/api-v2/file/upload/:file_id", (call) => runStep(call, addContent))
  .delete("/api-v2/file/upload/:file_id", (call) => runStep(call, cancelUpload))
  .all("*", ({ req, env, executionCtx }) => files.fetch(req.raw, env, executionCtx))
  .onError((thrown, call) => withVersion(isRefusal(thrown) ? toResponse(thrown) : answerError(thrown, call)));

async function runStep({ req, env }: FilesCall, step: StepHandler): Promise<Response> {
  const stepping = step(parseFileId(req.param("file_id") ?? ""), req.raw, env).catch(async (thrown) => {
    // The sender of a superseded attempt is usually gone: nothing more of its body is waited for.
    if (isRefusal(thrown) && thrown.status === 423) await req.raw.body?.cancel().catch(() => undefined);
    else await discardBody(req.raw.body, MAX_DISCARDED_BYTES, MAX_DISCARD_MS);
    throw thrown;
  });
  // Received bytes are stored even if the client disconnects.
  waitUntil(stepping.catch(() => undefined));
  return withVersion(await stepping);
}

function withVersion(answer: Response) {
  answer.headers.set("Tus-Resumable", TUS_VERSION);
  return answer;
}

/** Slightly more than the largest file. */
const MAX_DISCARDED_BYTES = 17 * 1024 * 1024;
const MAX_DISCARD_MS = 60_000;
