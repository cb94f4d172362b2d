import type { StreamedRequest } from "#shared/contract/streamed-request.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Answer } from "#shared/operation/declaration.ts";
import { failureOf } from "#shared/operation/serve.ts";
import type { FilesEnv } from "../env.ts";
import { download, downloadUrl } from "./download.ts";
import { receive } from "./receive.ts";

/** Uploads and downloads. Neither has a hash: the caller shows a token of the one file. */
export async function stream({ path, ...request }: StreamedRequest, env: FilesEnv): Promise<Answer> {
  try {
    const [what, id = "", token = ""] = path.split("/").slice(2);
    const file_id = /^\d{1,15}$/.test(id) ? Number(id) : 0;
    if (what === "download") {
      if (request.method !== "GET" && request.method !== "HEAD") throw new ApiError(112);
      return await download(file_id, token, request, env);
    }
    if (request.method !== "POST") throw new ApiError(112);
    const file = await receive(file_id, request, env);
    const download_url = downloadUrl(request.base_url, file, env);
    return { status: 200, body: JSON.stringify({ success: true, value: { ...file, download_url } }) };
  } catch (thrown) {
    return failureOf(thrown, { path: path.split("/").slice(0, 4).join("/"), request_id: request.request_id });
  }
}
