import { waitUntil } from "cloudflare:workers";
import { type Context, Hono } from "hono";
import { pieceReader } from "#shared/body/piece-reader.ts";
import { TUS_VERSION } from "#shared/contract/resumable-upload.ts";
import type { FilesEnv } from "../../env.ts";
import { app as files, idOf, refuse } from "../app.ts";
import { answerOf, isRefusal } from "./refusal.ts";
import { addContent, giveBack, showOffset } from "./resume.ts";

type FilesCall = Context<{ Bindings: FilesEnv }>;
type Step = (file_id: number, request: Request, env: FilesEnv) => Promise<Response>;

/** What tus, the protocol of resumable uploads, does at the address of a ticket; all else of files is behind it. */
export const app = new Hono<{ Bindings: FilesEnv }>({ strict: false })
  .get("/api-v2/file/upload/:file_id", (call) =>
    call.req.raw.method === "HEAD" ? take(call, showOffset) : files.fetch(call.req.raw, call.env, call.executionCtx),
  )
  .patch("/api-v2/file/upload/:file_id", (call) => take(call, addContent))
  .delete("/api-v2/file/upload/:file_id", (call) => take(call, giveBack))
  .all("*", ({ req, env, executionCtx }) => files.fetch(req.raw, env, executionCtx))
  .onError((thrown, call) => withVersion(isRefusal(thrown) ? answerOf(thrown) : refuse(thrown, call)));

async function take({ req, env }: FilesCall, step: Step): Promise<Response> {
  const stepping = step(idOf(req.param("file_id") ?? ""), req.raw, env).catch(async (thrown) => {
    await discard(req.raw.body);
    throw thrown;
  });
  // Also where the sender has gone, what has come in is stored.
  waitUntil(stepping.catch(() => undefined));
  return withVersion(await stepping);
}

function withVersion(answer: Response) {
  answer.headers.set("Tus-Resumable", TUS_VERSION);
  return answer;
}

/** A client that is still sending would not hear of what is wrong. */
async function discard(body: Request["body"]) {
  const reader = pieceReader(body);
  for (let size = 0; reader && size < DISCARDED_BYTES; ) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return;
    size += value?.byteLength ?? 0;
  }
  await reader?.cancel().catch(() => undefined);
}

/** As much as any file may have. */
const DISCARDED_BYTES = 17 * 1024 * 1024;
