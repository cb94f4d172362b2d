import { type Context, Hono } from "hono";
import type { Principal } from "#shared/caller/principal.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { demandCredential } from "#shared/operation/run.ts";
import type { FilesEnv } from "../env.ts";
import { idOf, refuse } from "./app.ts";
import { contentOf, previewOf } from "./download.ts";
import { findOwn } from "./queries.ts";
import { keeperOf } from "./tell.ts";

type OwnApp = { Bindings: { env: FilesEnv; principal: Principal } };

/** Downloads of who shows a hash: what they may see, at addresses without a token. */
export const ownApp = new Hono<OwnApp>({ strict: false })
  .basePath("/api-v2")
  .get("/file/download/:file_id", async (call) =>
    asked(await contentOf(await findShown(call, call.req.param("file_id")), call.req.raw, call.env.env)),
  )
  .get("/file/download/preview/:side/:file_id", async (call) => {
    const { side, file_id } = call.req.param();
    return asked(await previewOf(await findShown(call, file_id), side, call.req.raw, call.env.env));
  })
  .notFound(() => {
    throw new ApiError(112);
  })
  .onError(refuse);

/** A sub-user sees what it uploaded itself, and what something that it sees names. */
async function findShown({ env: { env, principal } }: Context<OwnApp>, file_id: string) {
  demandCredential(principal.credential);
  const id = idOf(file_id);
  const found = await findOwn(openDatabase(env), principal, id);
  if (!found || principal.kind !== "subuser" || found.user_id === principal.user_id) return found;
  return (await keeperOf(env, found.owner).namesFile(principal, id)) ? found : undefined;
}

/** The browser may keep it, and asks each time: whoever shows another hash, or has lost a right, may not have it. */
function asked({ body, status, headers }: Response): Response {
  const own = new Headers(headers);
  own.set("Cache-Control", "private, no-cache");
  own.set("Vary", "Authorization");
  return new Response(body, { status, headers: own });
}
