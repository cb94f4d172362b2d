import { type Context, Hono } from "hono";
import type { Principal } from "#shared/caller/principal.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { demandCredential } from "#shared/operation/run.ts";
import type { FilesEnv } from "../env.ts";
import { answerError, logSuccess, parseFileId } from "./app.ts";
import { keeperOf } from "./deliver.ts";
import { serveContent, servePreview } from "./download.ts";
import { findVisible } from "./queries.ts";

type AuthorizedApp = { Bindings: { env: FilesEnv; principal: Principal } };

/** Downloads without a token, for callers whose hash the gateway has checked. */
export const authorizedApp = new Hono<AuthorizedApp>({ strict: false })
  .basePath("/api-v2")
  .use(logSuccess)
  .get("/file/download/:file_id", async (call) =>
    withRevalidation(
      await serveContent(await findVisibleFile(call, call.req.param("file_id")), call.req.raw, call.env.env),
    ),
  )
  .get("/file/download/preview/:side/:file_id", async (call) => {
    const { side, file_id } = call.req.param();
    return withRevalidation(await servePreview(await findVisibleFile(call, file_id), side, call.req.raw, call.env.env));
  })
  .notFound(() => {
    throw new ApiError(112);
  })
  .onError(answerError);

/** The file if the caller uploaded it, or sees a thing that names it: unused files belong to their uploader. */
async function findVisibleFile({ env: { env, principal } }: Context<AuthorizedApp>, file_id: string) {
  demandCredential(principal.credential);
  const id = parseFileId(file_id);
  const file = await findVisible(openDatabase(env), principal, id);
  if (!file || file.user_id === principal.user_id) return file;
  return (await keeperOf(env, file.owner).referencesFile(principal, id)) ? file : undefined;
}

/** Makes browsers revalidate a cached answer, because the next caller may lack the right to see the file. */
function withRevalidation({ body, status, headers }: Response): Response {
  const own = new Headers(headers);
  own.set("Cache-Control", "private, no-cache");
  own.set("Vary", "Authorization");
  return new Response(body, { status, headers: own });
}
